import { closeSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ConfigError, DEFAULT_PORT, ownEnvironment, parsePort, readConfig } from './config.ts'
import { startDaemon } from './daemon.ts'
import { createLog, logFileWriter } from './log.ts'
import { endWithoutReader, onLostReader } from './lost-reader.ts'
import { logPath } from './read-log.ts'
import { StartError } from './start-error.ts'
import { VERSION } from './version.ts'

const HELP = `stringd: the String daemon, in the foreground

  stringd [--port N]     listens on 127.0.0.1, logs on standard error and in daemon.log, ends on SIGTERM

  --port N               else STRING_PORT, else ${DEFAULT_PORT}; 0 lets the system choose
  --version, --help

It binds the loopback interface only; there is no option to change that. It serves programs of its own user, and
no web page. STRING_ALLOW_UIDS=33,107 adds users; STRING_ALLOW_ORIGINS=http://localhost:5173 adds pages of this machine.
STRING_STORE=postgres://USER@HOST/DATABASE keeps everything durable there, not in the data folder: string store --help
STRING_NODE=NAME is how it is called among daemons that share a store, STRING_MAX_TURNS=8 what it takes for others: string fleet --help
The command line starts it by itself: string start|stop|status|restart|logs
`

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  // Given by `string` when it starts the daemon in the background: where to say that it is ready, or why not.
  'ready-fd': { type: 'string' },
  version: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) return void process.stdout.write(HELP)
  if (values.version) return void process.stdout.write(`${VERSION}\n`)
  if (values.host !== undefined) throw new ConfigError('stringd binds 127.0.0.1 only; --host is not an option')
  const config = readConfig()
  const port = values.port === undefined ? (config.port ?? DEFAULT_PORT) : parsePort(values.port, '--port')
  const background = values['ready-fd'] !== undefined
  const file = logFileWriter(logPath(config.dataDir))
  // Whoever starts it in the foreground reads it there; `string logs` reads the file, whoever started it.
  const both = (line: string): void => {
    writeLine(line)
    file(line)
  }
  const write = background ? file : both
  const log = createLog(write, config.debug)
  process.on('uncaughtException', (error) => log.error('Uncaught exception', { cause: error.stack ?? error.message }))
  process.on('unhandledRejection', (reason) =>
    log.error('Unhandled rejection', { cause: String(reason instanceof Error ? reason.stack : reason) }),
  )
  // A terminal or pipe that is gone must not stop the daemon.
  onLostReader(() => undefined)
  const asked = stopSignal()
  const daemon = await startDaemon({
    stringHome: config.stringHome,
    dataDir: config.dataDir,
    port,
    log,
    environment: ownEnvironment(),
    allowOrigins: config.allowOrigins,
    allowUids: config.allowUids,
    store: config.store,
    node: config.node,
    maxTurns: config.maxTurns,
    ...(config.execMs === null ? {} : { execMs: config.execMs }),
  })
  void asked.then((signal) => daemon.stop(`it got the signal ${signal}`))
  report({ ok: true, port: daemon.port })
  await daemon.stopped
}

/** Where the reader is gone, there is nobody left to tell. */
function writeLine(line: string): void {
  try {
    writeSync(2, line)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

/** Heard from the very start: a daemon that is told to stop while it starts stops as soon as it has. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
  })
}

let isReported = false

/** Tells whoever started us in the background, once; in the foreground nobody listens. */
function report(message: { ok: true; port: number } | { ok: false; reason: string; error: string }): void {
  const index = process.argv.indexOf('--ready-fd')
  if (index === -1 || isReported) return
  isReported = true
  const fd = Number(process.argv[index + 1])
  writeSync(fd, `${JSON.stringify(message)}\n`)
  closeSync(fd)
}

endWithoutReader('stringd')
main().then(
  () => process.exit(),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    const usage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
    const expected = usage || error instanceof StartError || error instanceof ConfigError
    report({ ok: false, reason: error instanceof StartError ? error.reason : 'failed', error: message })
    process.stderr.write(`stringd: ${expected || !(error instanceof Error) ? message : (error.stack ?? message)}\n`)
    process.exit(usage ? 2 : expected ? 1 : 70)
  },
)
