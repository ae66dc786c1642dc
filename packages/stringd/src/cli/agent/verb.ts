import { statSync } from 'node:fs'
import type { AgentView, StringClient } from '@string-os/client'
import { type FlagTable, quoted, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { lookOf } from '../terminal/look.ts'
import { wholeTime } from '../turns/time.ts'
import { type AddRequest, addAgent } from './add.ts'
import { agentData } from './agent-data.ts'
import { type AllowRequest, allowFolders } from './allow.ts'
import { knownAgent } from './known-agent.ts'
import { agentList } from './list.ts'
import { agentName } from './named-agent.ts'
import { forgetAgent } from './remove.ts'
import { agentStatus, tellAgent } from './standing.ts'

const OPTIONS = {
  home: { type: 'string' },
  allow: { type: 'string', multiple: true },
  disallow: { type: 'string', multiple: true },
  profile: { type: 'string' },
  yes: { type: 'boolean' },
} as const
const REMOVE = { remove: { type: 'string', multiple: true } } as const

/** What each of them takes; the others take none. */
const OPTIONS_OF: Readonly<Record<string, FlagTable>> = { add: OPTIONS, allow: REMOVE, remove: { yes: OPTIONS.yes } }

const VERBS = ['list', 'show', 'add', 'allow', 'remove', 'status', 'start', 'stop', 'pause', 'resume'] as const

/** What people of other programs type. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['ls', 'list'],
  ['rm', 'remove'],
  ['delete', 'remove'],
])

/** `string agent list|show|add|allow|remove|status|start|stop|pause|resume` */
export async function runAgentVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const { verb, request, folders } = parse(words.slice(1))
  const json = format === 'json'
  switch (verb) {
    case 'list':
      if (request.id !== '')
        throw usageError(`Too many arguments: ${quoted(request.id)}; string agent show ${quoted(request.id)} shows one`)
      return say(await agentList(await connect(config), json, config))
    case 'show':
      return show(config, named(request), json)
    case 'add':
      return add(config, named(request, 'a new one has letters and digits, such as bob'), json)
    case 'allow':
      return print(config, request, (client, id) => allowFolders(client, { id, ...folders }, json))
    case 'remove':
      return remove(config, named(request), json)
    case 'status':
      return print(config, request, (client, id) => agentStatus(client, id, json, lookOf(process.stdout, config)))
    default:
      return print(config, request, (client, id) => tellAgent(client, verb, id, json))
  }
}

interface Parsed {
  readonly verb: (typeof VERBS)[number]
  readonly request: AddRequest
  /** Of `allow`. */
  readonly folders: Omit<AllowRequest, 'id'>
}

function parse(args: readonly string[]): Parsed {
  const verbOf = (word: string): (typeof VERBS)[number] | undefined =>
    VERBS.find((name) => name === (ALIASES.get(word) ?? word))
  const first = verbOf(args[0] ?? '')
  // Flags of another subverb are unknown here, and not what may be meant.
  if (first !== undefined) parseFlags(args, OPTIONS_OF[first] ?? {})
  const { values, words } = parseFlags(args, { ...OPTIONS, ...REMOVE })
  const [written = '', id = '', ...others] = words
  const verb = verbOf(written)
  if (verb === undefined) throw usageError(`What about agents? It is one of: ${VERBS.join(', ')}`)
  const [extra] = verb === 'allow' ? [] : others
  if (extra !== undefined) throw usageError(tooMany(verb, id, extra))
  const { home, allow, disallow, profile, yes, remove = [] } = values
  if (yes && verb !== 'add' && verb !== 'remove') throw usageError('--yes is for string agent add and remove')
  return { verb, request: { id, home, allow, disallow, profile, yes }, folders: { allow: others, disallow: remove } }
}

/** What somebody may have meant by a word too many. */
function tooMany(verb: string, id: string, extra: string): string {
  const said = `Too many arguments: ${quoted(extra)}`
  if (verb !== 'add') return said
  const flag = isFolder(extra) ? '--home' : '--profile'
  return `${said}; a flag says what it is: string agent add ${id} ${flag} ${quoted(extra)}`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

async function print(
  config: Config,
  request: AddRequest,
  tell: (client: StringClient, id: string) => Promise<string>,
): Promise<number> {
  const { id } = named(request)
  const client = await connect(config)
  return say(await knownAgent(client, id, () => tell(client, id)))
}

function say(text: string): number {
  console.log(text)
  return EXIT.ok
}

function named(request: AddRequest, help = 'string agent list shows all'): AddRequest {
  if (request.id === '') throw usageError(`Which agent? Give its ID; ${help}`)
  return { ...request, id: agentName(request.id) }
}

async function show(config: Config, { id }: AddRequest, json: boolean): Promise<number> {
  const client = await connect(config)
  const agent = await knownAgent(client, id, client.agents.get)
  console.log(json ? JSON.stringify(agentData(agent)) : details(agent))
  return EXIT.ok
}

async function add(config: Config, request: AddRequest, json: boolean): Promise<number> {
  return say(await addAgent(await connect(config), request, json))
}

async function remove(config: Config, { id, yes }: AddRequest, json: boolean): Promise<number> {
  await forgetAgent(await connect(config), id, yes)
  console.log(json ? JSON.stringify({ agent_id: id, removed: true }) : `Removed ${id}; its files stay`)
  return EXIT.ok
}

/** Which they are only the topics know: each has its own. */
const FOR_NOW =
  'open for now: each folder from which string is run in a topic, to that topic, until it is closed or the daemon stops'

function details({ id, home, allowedPaths, createdAt, profile }: AgentView): string {
  return [
    `id: ${id}`,
    `home: ${visibleLine(home)}`,
    `allowed paths: ${allowedPaths.length === 0 ? '(none)' : visibleLine(allowedPaths.join(', '))}`,
    FOR_NOW,
    `profile: ${profile ?? '(none)'}`,
    `created: ${wholeTime(createdAt)}`,
  ].join('\n')
}
