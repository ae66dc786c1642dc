import { imageSize } from './image-size.ts'
import { otherEncoding, whereNot } from './text.ts'
import { pathWord } from './workspace.ts'

const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ['PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['JPEG image', [0xff, 0xd8, 0xff]],
  ['GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['ZIP archive', [0x50, 0x4b, 0x03, 0x04]],
  ['gzip archive', [0x1f, 0x8b]],
  ['ELF program', [0x7f, 0x45, 0x4c, 0x46]],
  ['SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
]

/** What stands for bytes that are no text: their type, size and, of an image, its dimensions. */
export function describeBinary(bytes: Uint8Array, mediaType?: string): string {
  const named = SIGNATURES.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte))?.[0]
  const riff = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const kind = named ?? (/^RIFF....WEBP/s.test(riff) ? 'WebP image' : (mediaType ?? 'Binary file'))
  return `(${[kind, dimensions(bytes), size(bytes.length)].filter((part) => part !== '').join(', ')})`
}

/** The same for a file, of which a way to read it may be known. */
export function describeFile(bytes: Uint8Array, path: string): string {
  const other = otherEncoding(bytes)
  if (other === null) return describeBinary(bytes)
  const { name } = other
  return `(Text that is not UTF-8, ${size(bytes.length)}${whereNot(other)})\n/exec iconv -f ${name} -t utf8 ${pathWord(path)} shows it, if it is ${name}`
}

export function describeImage(mediaType: string, bytes: Uint8Array): string {
  return describeBinary(bytes, `${mediaType} image`)
}

/** `1.5 KB`: short, for a person's eye. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ''}`
}

function dimensions(bytes: Uint8Array): string {
  const found = imageSize(bytes)
  return found === null ? '' : `${found.width} × ${found.height}`
}
