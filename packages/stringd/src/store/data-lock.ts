import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'

export interface DataLock {
  /** Names this data folder; children carry it as a mark. */
  readonly dataId: string
  release(): void
}

/**
 * Takes the data folder, or one `part` of it, for this process, or answers null when another has it. The lock is a
 * socket name that the kernel gives up with the process, so nothing stale is ever left to judge.
 */
export async function lockDataDir(dataDir: string, part = ''): Promise<DataLock | null> {
  const dataId = readOrMakeId(join(dataDir, 'id'))
  const server = await listenOnce(socketName(dataDir, dataId, part))
  return server === null ? null : { dataId, release: () => void server.close() }
}

function socketName(dataDir: string, dataId: string, part: string): string {
  // With the inode, a copied data folder is not taken for the one it was copied from.
  if (process.platform === 'linux') return `\0stringd-${dataId}-${statSync(dataDir).ino}${part}`
  return join(dataDir, `${part}lock.sock`)
}

async function listenOnce(name: string): Promise<Server | null> {
  const server = await listen(name)
  if (server !== null || name.startsWith('\0') || (await answers(name))) return server
  rmSync(name, { force: true })
  return listen(name)
}

function listen(name: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)))
    server.listen(name, () => resolve(server.unref()))
  })
}

function answers(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(name)
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => socket.destroy())
  })
}

/** Of many processes that start at once, all read the id that the first one linked into place. */
function readOrMakeId(path: string): string {
  const existing = readId(path)
  if (existing !== null) return existing
  const mine = join(dirname(path), `.id.string-tmp-${process.pid}`)
  writeFileSync(mine, randomBytes(16).toString('hex'), { mode: 0o600 })
  try {
    linkSync(mine, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (readId(path) === null) writeFileSync(path, readFileSync(mine), { mode: 0o600 })
  } finally {
    rmSync(mine, { force: true })
  }
  return readFileSync(path, 'utf8')
}

function readId(path: string): string | null {
  try {
    const id = readFileSync(path, 'utf8')
    return /^[0-9a-f]{32}$/.test(id) ? id : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
