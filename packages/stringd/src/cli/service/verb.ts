import { quoted, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { livingDaemon } from '../daemon/find-daemon.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { asCalled } from '../program-name.ts'
import type { Program } from '../verb-row.ts'
import { installService, type ServiceAnswer, uninstallService } from './install.ts'
import { serviceStatus } from './status.ts'

type ServiceVerb = (config: Config, isDry: boolean) => Promise<ServiceAnswer>

const VERBS: ReadonlyMap<string, ServiceVerb> = new Map([
  ['install', (config, isDry) => installService(livingDaemon(config), isDry)],
  ['uninstall', (_, isDry) => uninstallService(isDry)],
  ['status', (config) => serviceStatus(livingDaemon(config))],
])

const OPTIONS = { 'dry-run': { type: 'boolean' } } as const

/** `string service install|uninstall|status` */
export async function runServiceVerb({ words, format }: Invocation, config: Config, program: Program): Promise<number> {
  const { values, words: others } = parseFlags(words.slice(1), OPTIONS)
  const [verb = '', extra] = others
  const run = VERBS.get(verb)
  if (run === undefined) throw usageError(`Which of ${[...VERBS.keys()].join(', ')}?`)
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  if (process.platform !== 'linux') throw notHere()
  const { ok, said, data } = await run(config, values['dry-run'])
  const text = said.map((line) => (line.includes('\n') ? line : visibleLine(line))).join('\n')
  console.log(format === 'json' ? JSON.stringify({ ok, ...data }) : asCalled(text, program.name))
  return ok ? EXIT.ok : EXIT.commandError
}

function notHere(): CliError {
  const next = 'have your own supervisor run stringd, which stays in the foreground and ends on SIGTERM'
  return new CliError(EXIT.commandError, `A service can be installed for systemd on Linux alone so far; ${next}`)
}
