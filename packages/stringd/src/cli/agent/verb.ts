import { resolve } from 'node:path'
import type { AgentView } from '@string-os/client'
import { visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'
import { knownAgent, unknownAgent } from './known-agent.ts'
import { agentStatus, tellAgent } from './standing.ts'

const OPTIONS = {
  home: { type: 'string' },
  allow: { type: 'string', multiple: true },
  profile: { type: 'string' },
} as const

interface Request {
  readonly id: string
  readonly home: string | undefined
  readonly allow: readonly string[] | undefined
  readonly profile: string | undefined
}

const VERBS = ['list', 'show', 'add', 'remove', 'status', 'start', 'stop', 'pause', 'resume'] as const

const USAGE = `Usage: string agent list | show ID | add ID [--home DIR] [--allow DIR]… [--profile FILE] | remove ID
       string agent status | start | stop | pause | resume ID`

/** `string agent list|show|add|remove|status|start|stop|pause|resume` */
export async function runAgentVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const { verb, request } = parse(words.slice(1))
  const json = format === 'json'
  switch (verb) {
    case 'list':
      if (request.id !== '')
        throw usageError(`Too many arguments: ${request.id} (string agent show ${request.id} shows one)`)
      return list(config, json)
    case 'show':
      return show(config, named(request), json)
    case 'add':
      return add(config, named(request), json)
    case 'remove':
      return remove(config, named(request), json)
    case 'status':
      return print(request, async (id) => agentStatus(await connect(config), id, json, config.color))
    default:
      return print(request, async (id) => tellAgent(await connect(config), verb, id, json))
  }
}

function parse(args: readonly string[]): { verb: (typeof VERBS)[number]; request: Request } {
  const { values, words } = parseFlags(args, OPTIONS)
  const [written = '', id = '', extra] = words
  const verb = VERBS.find((name) => name === written)
  if (verb === undefined) throw usageError(USAGE)
  if (extra !== undefined) throw usageError(`Too many arguments: ${extra}`)
  return { verb, request: { id, home: values.home, allow: values.allow, profile: values.profile } }
}

async function print(request: Request, say: (id: string) => Promise<string>): Promise<number> {
  console.log(await knownAgent(named(request).id, say))
  return EXIT.ok
}

function named(request: Request): Request {
  if (request.id === '') throw usageError('Which agent? Give its ID')
  return request
}

async function list(config: Config, json: boolean): Promise<number> {
  const agents = await (await connect(config)).agents.list()
  if (json) console.log(JSON.stringify(agents))
  else
    console.log(
      agents.length === 0 ? inOwnName('No agents yet; string agent add ID makes one') : agents.map(row).join('\n'),
    )
  return EXIT.ok
}

async function show(config: Config, { id }: Request, json: boolean): Promise<number> {
  const agent = (await (await connect(config)).agents.list()).find((candidate) => candidate.id === id)
  if (agent === undefined) throw unknownAgent(id)
  console.log(json ? JSON.stringify(agent) : details(agent))
  return EXIT.ok
}

async function add(config: Config, { id, home, allow, profile }: Request, json: boolean): Promise<number> {
  const client = await connect(config)
  const registered = await client.agents.register(id, {
    ...(home === undefined ? {} : { home: resolve(home) }),
    ...(allow === undefined ? {} : { allowedPaths: allow.map((path) => resolve(path)) }),
    ...(profile === undefined ? {} : { profile: resolve(profile) }),
  })
  const { warnings = [], brings = [] } = registered
  for (const text of json ? [] : warnings) process.stderr.write(`warning: ${visibleLine(text)}\n`)
  for (const path of json ? [] : brings) process.stderr.write(`note: ${visibleLine(path)} is used from now on\n`)
  console.log(
    json ? JSON.stringify(registered) : `${registered.created ? 'Added' : 'Updated'} ${id} (home ${registered.home})`,
  )
  return EXIT.ok
}

async function remove(config: Config, { id }: Request, json: boolean): Promise<number> {
  const removed = await (await connect(config)).agents.remove(id)
  if (!removed) throw unknownAgent(id)
  console.log(json ? JSON.stringify({ agent_id: id, removed: true }) : `Removed ${id}; its files stay`)
  return EXIT.ok
}

function row({ id, home }: AgentView): string {
  return `${id}  ${visibleLine(home)}`
}

function details({ id, home, allowedPaths, createdAt, profile }: AgentView): string {
  return [
    `id: ${id}`,
    `home: ${visibleLine(home)}`,
    `allowed paths: ${allowedPaths.length === 0 ? '(none)' : visibleLine(allowedPaths.join(', '))}`,
    `profile: ${profile ?? '(none)'}`,
    `created: ${createdAt}`,
  ].join('\n')
}
