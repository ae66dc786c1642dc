import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection } from './connection.mjs'
import { firstLine, freePort, startNode, waitForHealth } from './processes.mjs'

const packageDir = join(import.meta.dirname, '../../packages/stringd')
const open = new Set()

process.on('exit', () => {
  for (const context of open) context.close()
})
for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
  process.on(signal, () => process.exit(128 + number))
}

/** What a row works with: its own folder and its own processes. Both are gone when the context is closed. */
export function createContext({ streamSecs }) {
  const folder = mkdtempSync(join(tmpdir(), 'string-bench-'))
  const stops = []
  const context = {
    folder,
    streamSecs,
    programs: copyPrograms(folder),
    spawnDaemon: (options) => spawnDaemon(context, stops, options),
    startDaemon: (options) => startDaemon(context, options),
    startBase: (url, config) => startBase(stops, url, config),
    onClose: (stop) => stops.push(stop),
    close() {
      // Whoever uses a server goes before it.
      for (const stop of stops.toReversed()) stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      open.delete(context)
    },
  }
  open.add(context)
  return context
}

/** A build that runs meanwhile must not change what is measured. */
function copyPrograms(folder) {
  const programs = join(folder, 'stringd')
  cpSync(join(packageDir, 'bin'), join(programs, 'bin'), { recursive: true })
  for (const file of readdirSync(join(packageDir, 'dist')).filter((name) => /\.(cjs|cache)$/.test(name))) {
    cpSync(join(packageDir, 'dist', file), join(programs, 'dist', file))
  }
  cpSync(join(packageDir, 'dist/page'), join(programs, 'dist/page'), { recursive: true })
  symlinkSync(join(packageDir, '../../node_modules'), join(folder, 'node_modules'))
  return programs
}

/** A daemon from spawn to its first answer. Its data folder is empty, has what `fill` puts there, or is that of another. */
async function spawnDaemon({ folder, programs }, stops, { store = '', fill, data: given } = {}) {
  const port = await freePort()
  const home = join(folder, `daemon-${port}`)
  const data = given ?? join(home, 'data')
  await fill?.(data)
  const own = { STRING_HOME: home, STRING_DATA_DIR: data, STRING_PORT: String(port), STRING_STORE: store }
  const env = { ...process.env, ...own }
  const args = [join(programs, 'dist/stringd.cjs'), '--port', String(port)]
  const started = performance.now()
  const { child, stop } = startNode(args, { env, stdio: 'ignore' })
  stops.push(stop)
  await waitForHealth(port, child)
  const end = () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    return ended
  }
  return { startMs: performance.now() - started, port, pid: child.pid, env, home, data, stop, end }
}

/** A daemon that is ready for commands: the agent `default` lives in a folder with a Markdown file of 1 KB. */
async function startDaemon(context, options) {
  const daemon = await context.spawnDaemon(options)
  const home = join(daemon.home, 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'note.md'), note())
  const connect = () => new Connection(daemon.port)
  await connect().send('/agents', { agent_id: 'default', home })
  return { ...daemon, note: join(home, 'note.md'), connect }
}

/** A program of bases/; it gets `config` as JSON and says its port on the first line. */
async function startBase(stops, url, config) {
  const { child, stop } = startNode([fileURLToPath(url), JSON.stringify(config)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stops.push(stop)
  const port = Number(await firstLine(child.stdout))
  return { port, pid: child.pid, connect: () => new Connection(port) }
}

function note() {
  const links = '- [Guide](./guide.md), read *first*\n- [Site](https://example.com/docs) and `code`\n\n'
  const prose = 'One more sentence of a note that somebody keeps, with **weight** here and there.\n'
  return `# Note\n\n${links}${prose.repeat(20)}`.slice(0, 1023).concat('\n')
}
