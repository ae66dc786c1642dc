import { LIMITS, TOPIC_TYPES, visibleLine } from '@string-os/protocol'
import { actionNames, callWords, openActions, toolActions } from './actions.ts'
import { type Candidate, type CandidateSource, candidate } from './candidates.ts'
import { paths } from './paths.ts'
import { menus, openable, targets } from './targets.ts'

const commandNames: CandidateSource = ({ commands }) =>
  [...commands.values()].map(({ name, summary }) => candidate(name, 'command', summary))

const packages: CandidateSource = ({ context }) =>
  context.packages.list().map(({ record }) => candidate(record.local, 'package', record.type))

/** What is to be taken anew is called by its name. */
const installable: CandidateSource = (asked) => (asked.flags?.includes('update') ? packages(asked) : paths(asked))

const eventIds: CandidateSource = async ({ context: { inbox, agent } }) => {
  const events = await inbox.newest(agent.id, true, LIMITS.listedEvents)
  return events.map(({ id, source }) => candidate(id, 'event', visibleLine(source)))
}

const variables: CandidateSource = ({ context: { session } }) =>
  [...session.variables.all.keys()].map((name) => candidate(`{${name}}`, 'variable'))

/** Stored ones by their names, which are all that is ever shown of them. */
const stored: CandidateSource = ({ context }) =>
  context.stored.list().variables.map(({ name }) => candidate(`$${name}`, 'variable', 'set'))

/** Also those that the app of this topic lists, and nobody has set yet. */
const settable: CandidateSource = async (asked) => {
  const { topic, packages: installed } = asked.context
  const [, name] = topic.canonical.split(':')
  const app = topic.type === 'app' ? installed.list().find(({ record }) => record.local === name) : undefined
  const set = await stored(asked)
  const names = new Set(set.map(({ text }) => text))
  const missing = (app?.record.needs ?? []).map(({ name }) => `$${name}`).filter((name) => !names.has(name))
  return [...(await variables(asked)), ...set, ...missing.map((name) => candidate(name, 'variable', 'not set'))]
}

const unsettable: CandidateSource = async (asked) => [...(await variables(asked)), ...(await stored(asked))]

/** What an argument may be, by its name in the command's row; by `COMMAND NAME` where that says more. */
const ARGUMENTS: Readonly<Record<string, CandidateSource>> = {
  path: paths,
  'install source': installable,
  target: targets,
  'open target': openable,
  'help command': commandNames,
  'topics type': () => TOPIC_TYPES.map((type) => candidate(type, 'value')),
  'nav name': menus,
  'uninstall name': packages,
  'info package': packages,
  'events.read id': eventIds,
  'events.ack id': eventIds,
}

export function argumentSource(command: string, param: string): CandidateSource | undefined {
  return ARGUMENTS[`${command} ${param}`] ?? ARGUMENTS[param]
}

const act: CandidateSource = async (asked) => {
  const actions = await openActions(asked.context)
  const [name] = asked.before
  if (name === undefined) return actionNames(actions, '')
  return callWords(actions.get(name), { ...asked, before: asked.before.slice(1) })
}

const tool: CandidateSource = async (asked) => {
  const [called] = asked.before
  if (called === undefined) return toolNames(asked.word, asked.context)
  const [name = '', id] = called.split(/\.(.*)/s)
  const actions = await toolActions(name, asked.context)
  const [only] = actions.values()
  return callWords(id === undefined ? only : actions.get(id), { ...asked, before: asked.before.slice(1) })
}

async function toolNames(word: string, context: Parameters<typeof toolActions>[1]): Promise<readonly Candidate[]> {
  const [name = '', id] = word.split(/\.(.*)/s)
  if (id !== undefined) return actionNames(await toolActions(name, context), `${name}.`)
  return context.packages.tools().map((each) => candidate(each.name, 'tool'))
}

/** Commands that read what follows them on their own. */
const RAW: Readonly<Record<string, CandidateSource>> = { act, tool, set: settable, unset: unsettable, exec: paths }

export function rawSource(command: string): CandidateSource | undefined {
  return RAW[command]
}

export { variables }
