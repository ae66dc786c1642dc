import { LIMITS, type Problem, problem } from '@string-os/protocol'

/** A plain file of an archive; folders need no entry of their own, and there is nothing else. */
export interface TarFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode: number
}

interface Header {
  readonly ok: true
  readonly path: string
  readonly mode: number
  readonly size: number
  readonly type: string
}

/** What an entry before says about the next one. */
interface Said {
  path?: string
  size?: number
}

const BLOCK = 512
const FILE = /^[0\0 7]$/
const LINK = /^[12]$/

/** Reads an archive that is whole in memory. Whatever is not a plain file or a folder is refused, and so is what is damaged. */
export function readTar(bytes: Uint8Array): { readonly ok: true; readonly files: readonly TarFile[] } | Problem {
  const files: TarFile[] = []
  let said: Said = {}
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const block = bytes.subarray(at, at + BLOCK)
    // The end is two of them; what stands behind is nobody's.
    if (block.every((byte) => byte === 0)) return { ok: true, files }
    const header = readHeader(block, said)
    if (!header.ok) return header
    const start = at + BLOCK
    const content = bytes.subarray(start, start + header.size)
    if (content.length < header.size) return problem('it ends in the middle of a file')
    at = start + Math.ceil(header.size / BLOCK) * BLOCK
    const { type, path, mode } = header
    const about = readAbout(type, content, said)
    if (about !== null && !about.ok) return about
    if (about !== null) {
      said = about.said
      continue
    }
    said = {}
    if (LINK.test(type)) return problem(`a package holds no links: ${JSON.stringify(path)}`)
    if (type !== '5' && !FILE.test(type)) return problem(`not a regular file: ${JSON.stringify(path)}`)
    if (type !== '5') files.push({ path: path.replace(/^(?:\.\/)+/, ''), bytes: content, mode: mode & 0o777 })
    if (files.length > LIMITS.packageFiles) return problem(`it has more than ${LIMITS.packageFiles} files`)
  }
  return problem(files.length === 0 ? 'it is no tar archive' : 'it ends without its last block')
}

function readHeader(block: Uint8Array, said: Said): Header | Problem {
  if (numberIn(block, 148, 8) !== checksum(block)) return problem('it is damaged, or no tar archive')
  const name = textIn(block, 0, 100)
  const isUstar = textIn(block, 257, 5) === 'ustar'
  const prefix = isUstar ? textIn(block, 345, 155) : ''
  const size = said.size ?? numberIn(block, 124, 12)
  const mode = numberIn(block, 100, 8)
  if (name === null || prefix === null) return problem('it has a name that is not UTF-8')
  if (size === null || mode === null || size > LIMITS.packageTarBytes) return problem('it has a file of no known size')
  const path = said.path ?? (prefix === '' ? name : `${prefix}/${name}`)
  return { ok: true, path, mode, size, type: String.fromCharCode(block[156] ?? 0) }
}

/** Of an entry that is about others: what it says; null for every other. */
function readAbout(
  type: string,
  content: Uint8Array,
  said: Said,
): { readonly ok: true; readonly said: Said } | Problem | null {
  // What holds for all entries, such as the commit of a git archive, is of no use here.
  if (type === 'g' || type === 'K') return { ok: true, said }
  if (type !== 'x' && type !== 'L') return null
  if (content.length > LIMITS.packageTarHeaderBytes) return problem('it has a name that is too long')
  if (type === 'x') return readPax(content, said)
  const path = textIn(content, 0, content.length)
  return path === null ? problem('it has a name that is not UTF-8') : { ok: true, said: { ...said, path } }
}

/** `LENGTH key=value` lines, each as long as it says. */
function readPax(content: Uint8Array, before: Said): { readonly ok: true; readonly said: Said } | Problem {
  const said = { ...before }
  for (let at = 0; at < content.length; ) {
    const [digits = '', counted = ''] = /^(\d{1,9}) /.exec(latin(content.subarray(at, at + 10))) ?? []
    const length = Number(counted)
    // One that counts too little would be read for ever.
    if (length <= digits.length || at + length > content.length) return problem('it has a damaged header')
    const line = decode(content.subarray(at + digits.length, at + length - 1))
    const equals = line?.indexOf('=') ?? -1
    if (line === null || equals === -1) return problem('it has a damaged header')
    const [key, value] = [line.slice(0, equals), line.slice(equals + 1)]
    if (key === 'path') said.path = value
    if (key === 'size' && /^\d{1,15}$/.test(value)) said.size = Number(value)
    if (key.startsWith('GNU.sparse')) return problem('it has a sparse file')
    at += length
  }
  return { ok: true, said }
}

/** The sum of all bytes, those of the sum itself counted as blanks. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

/** Octal digits. Sizes that need another form are too large anyway. */
function numberIn(block: Uint8Array, start: number, length: number): number | null {
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(latin(block.subarray(start, start + length))) ?? []
  return digits === undefined ? null : Number.parseInt(digits || '0', 8)
}

function textIn(bytes: Uint8Array, start: number, length: number): string | null {
  const field = bytes.subarray(start, start + length)
  const end = field.indexOf(0)
  return decode(end === -1 ? field : field.subarray(0, end))
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8: the caller says where.
    return null
  }
}
