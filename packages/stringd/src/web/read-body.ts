import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'

type Unpack = (packed: Buffer, options: ZlibOptions) => Promise<Buffer>

export interface BodyLimits {
  readonly pageBytes: number
  readonly pageWireBytes: number
}

/** Null when the body is larger than allowed, packed or unpacked. `encoding` must be one that `canUnpack` knows. */
export async function readPageBody(
  body: Readable,
  encoding: string | null,
  limits: BodyLimits,
): Promise<Buffer | null> {
  const coding = codingOf(encoding)
  const packed = await collect(body, coding === 'identity' ? limits.pageBytes : limits.pageWireBytes)
  if (packed === null || packed.length === 0 || coding === 'identity') return packed
  const unpack = UNPACKERS.get(coding)
  if (unpack === undefined) throw new Error(`No unpacker for ${coding}`)
  try {
    // Unpacks piece by piece and gives up at the limit, however much is packed.
    return await unpack(packed, { maxOutputLength: limits.pageBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null
    throw error
  }
}

export function canUnpack(encoding: string | null): boolean {
  const coding = codingOf(encoding)
  return coding === 'identity' || UNPACKERS.has(coding)
}

const UNPACKERS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', unpackDeflate],
  ['br', (packed, { maxOutputLength = 0 }) => promisify(brotliDecompress)(packed, { maxOutputLength })],
])

/** Servers send both the format with a zlib header, as they should, and the one without. */
function unpackDeflate(packed: Buffer, options: ZlibOptions): Promise<Buffer> {
  const hasHeader = ((packed[0] ?? 0) & 0x0f) === 8
  return promisify<Buffer, ZlibOptions, Buffer>(hasHeader ? inflate : inflateRaw)(packed, options)
}

async function collect(body: Readable, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function codingOf(encoding: string | null): string {
  const coding = (encoding ?? '').trim().toLowerCase()
  return coding === '' ? 'identity' : coding
}
