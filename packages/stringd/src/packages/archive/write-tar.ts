import { gzipSync } from 'node:zlib'
import type { PackageFile } from '../source/package-files.ts'

const BLOCK = 512

/** Byte 9 of gzip names the system that packed; 255 names none. */
const SYSTEM = { at: 9, unknown: 255 }

/** A gzipped archive whose bytes depend on names, contents and what can be run, and on nothing else. */
export function writeTar(folder: string, files: ReadonlyMap<string, PackageFile>): Buffer {
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const blocks = sorted.flatMap(([path, file]) => entry(`${folder}/${path}`, file))
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
  packed[SYSTEM.at] = SYSTEM.unknown
  return packed
}

function entry(path: string, { bytes, mode }: PackageFile): Buffer[] {
  const isLong = Buffer.byteLength(path) > 100
  const known = isLong ? [header('PaxHeader', 0o644, pax(path).length, 'x'), padded(pax(path))] : []
  const short = isLong ? Buffer.from(path).subarray(0, 99).toString('latin1') : path
  return [...known, header(short, (mode & 0o100) === 0 ? 0o644 : 0o755, bytes.length, '0'), padded(bytes)]
}

/** A line that counts itself. */
function pax(path: string): Buffer {
  const rest = Buffer.byteLength(` path=${path}\n`)
  let length = rest + String(rest).length
  length = rest + String(length).length
  return Buffer.from(`${length} path=${path}\n`)
}

function header(name: string, mode: number, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, 100)
  block.write(
    `${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0        ${type}`,
    100,
  )
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function padded(bytes: Uint8Array): Buffer {
  const block = Buffer.alloc(Math.ceil(bytes.length / BLOCK) * BLOCK)
  block.set(bytes)
  return block
}
