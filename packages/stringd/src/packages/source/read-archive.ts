import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { readTar, type TarFile } from '../archive/read-tar.ts'
import { isPackagePath } from '../state/package-record.ts'
import { badPath, FileCollection, folderSource, type PackageSource, type SourceIdentity } from './package-files.ts'

const MEBIBYTE = 1024 * 1024
/** Where a tar archive says what it is. */
const MAGIC = { at: 257, text: 'ustar' }

/** Whether these are the bytes of an archive, packed or not. */
export function isArchive(bytes: Uint8Array): boolean {
  return (
    isPacked(bytes) || Buffer.from(bytes.subarray(MAGIC.at, MAGIC.at + MAGIC.text.length)).toString() === MAGIC.text
  )
}

/** What is called an archive, as one that came down only in part, and holds something else, is none; null of other names. */
export function whyNoArchive(path: string, from: string): Failure | null {
  return /\.(?:tgz|tar|tar\.gz|zip)$/i.test(path) ? unusable(from, 'it is no tar archive') : null
}

/** A package in an archive, perhaps below one folder that holds everything. Nothing of it touches the disk. */
export async function readArchive(
  bytes: Uint8Array,
  identity: SourceIdentity,
  spell?: (folder: string) => string | null,
): Promise<PackageSource | Failure> {
  const unpacked = isPacked(bytes) ? await unpack(bytes, identity.from) : { ok: true as const, bytes }
  if (!unpacked.ok) return unpacked
  const read = readTar(unpacked.bytes)
  if (!read.ok) return unusable(identity.from, read.problem)
  const odd = read.files.find(({ path }) => !isPackagePath(path))
  if (odd !== undefined) return badPath(odd.path)
  const collection = new FileCollection()
  for (const { path, ...file } of belowTop(read.files)) {
    const failure = collection.add(path, file)
    if (failure !== null) return failure
  }
  const found = folderSource(collection.files, identity, spell)
  return found.ok ? { ...found, secrets: collection.secrets } : found
}

/** Gives up at the limit, however much is packed. */
async function unpack(
  bytes: Uint8Array,
  from: string,
): Promise<{ readonly ok: true; readonly bytes: Buffer } | Failure> {
  try {
    return { ok: true, bytes: await promisify(gunzip)(bytes, UNPACKING) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code !== 'ERR_BUFFER_TOO_LARGE') return unusable(from, 'what it packs is damaged')
    return fail(
      'TOO_LARGE',
      `${from} unpacks to more than ${LIMITS.packageTarBytes / MEBIBYTE} MiB`,
      'Leave out files that it does not use',
    )
  }
}

const UNPACKING = { maxOutputLength: LIMITS.packageTarBytes }

function unusable(from: string, problem: string): Failure {
  return fail('LOAD_ERROR', `The archive ${from} cannot be used: ${problem}`, 'string app pack makes one that can')
}

/** Archives of npm, of git hosts and our own have one folder around everything. */
function belowTop(files: readonly TarFile[]): readonly TarFile[] {
  const [first = ''] = files[0]?.path.split('/', 1) ?? []
  const top = `${first}/`
  if (first === '' || !files.every(({ path }) => path.startsWith(top))) return files
  return files.map((file) => ({ ...file, path: file.path.slice(top.length) }))
}

function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}
