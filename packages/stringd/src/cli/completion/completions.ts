import { eachWord, type FlagGrammar, parseTopic } from '@string-os/protocol'
import { commandAt, mayFollow, takesAll } from '../arguments.ts'
import { flagTable } from '../find-verb.ts'
import { GLOBAL_FLAGS } from '../global-flags.ts'
import { flagName } from '../help.ts'
import type { FlagText, SubverbRow, Takes, VerbRow } from '../verb-row.ts'

/** One thing that may stand where the person types; `:file` and `:folder` are left to the shell. */
export interface Offer {
  readonly text: string
  readonly about: string
}

/** Names that are looked up. Whoever cannot tell answers with nothing. */
export interface Names {
  readonly agents: () => Promise<readonly Offer[]>
  /** Those that answer. */
  readonly talkers: () => Promise<readonly Offer[]>
  readonly topics: () => Promise<readonly Offer[]>
  /** Those that are not over, those that are and did not succeed, or all. */
  readonly turns: (which?: 'open' | 'ended') => Promise<readonly Offer[]>
  readonly events: (which?: 'pending') => Promise<readonly Offer[]>
  /** Those that wait for an answer. */
  readonly approvals: () => Promise<readonly Offer[]>
  /** Conversations of an agent, or with null of all. */
  readonly sessions: (agent: string | null) => Promise<readonly Offer[]>
  /** Those to which an agent can be moved. */
  readonly nodes: () => Promise<readonly Offer[]>
  readonly clients: () => Promise<readonly Offer[]>
  /** What may stand at the end of a command that is typed into a topic. */
  readonly commands: (topic: string, text: string) => Promise<readonly Offer[]>
}

/** Only here for those who know it from before; said by a verb now. */
const OLD_FLAGS: readonly FlagText[] = [
  { name: 'daemon', value: 'VERB', takes: ['start', 'stop', 'status', 'restart', 'logs'], summary: 'string VERB' },
  { name: 'mcp', summary: 'string mcp' },
]

const GRAMMAR: FlagGrammar = { pattern: /^(?:--(.[^=]*)(?:=(.*))?|-([^-])(.+)?)$/s, hasEnd: true }

interface Typed {
  readonly words: readonly string[]
  readonly topic: string | null
  readonly row: VerbRow | null
  readonly sub: SubverbRow | null
  /** What `--agent` names. */
  readonly agent: string | null
  /** All that are known as flags here. */
  readonly flags: readonly FlagText[]
  /** The flag whose value is being typed. */
  readonly open: FlagText | null
  /** No flag of ours can follow. */
  readonly isOver: boolean
}

/** What may stand in the place of `current`, behind the words before it. */
export async function completions(
  before: readonly string[],
  current: string,
  verbs: readonly VerbRow[],
  names: Names,
): Promise<readonly Offer[]> {
  const typed = readTyped(before, verbs)
  // A shell puts what is offered behind the quote that stands there.
  const begun = current.replace(/^['"]/, '')
  const found = await offersFor(typed, begun, verbs, names)
  const fitting = found.filter(({ text }) => /^:(?:file|folder)$/.test(text) || text.startsWith(begun))
  // A topic may be called like a verb.
  return fitting.filter(({ text }, at) => fitting.findIndex((offer) => offer.text === text) === at)
}

async function offersFor(
  typed: Typed,
  current: string,
  verbs: readonly VerbRow[],
  names: Names,
): Promise<readonly Offer[]> {
  const { words, row, flags, open, isOver } = typed
  const taking = (takes: Takes | undefined): Promise<readonly Offer[]> => taken(takes, typed, verbs, names)
  if (open !== null) return taking(open.takes)
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(current) ?? []
  const valued = flags.find((flag) => flag.name === name && flag.value !== undefined)
  if (valued !== undefined && value !== undefined && !isOver)
    return (await taking(valued.takes)).map(({ text, about }) => ({ text: `--${name}=${text}`, about }))
  const isCommand = row === null && (words[0]?.startsWith('/') === true || typed.topic !== null || words.length > 0)
  if (
    current.startsWith('-') &&
    !isOver &&
    (row !== null || !isCommand || (words.length === 1 && typed.topic === null))
  )
    return standing(typed).map((flag) => ({ text: `--${flag.name}`, about: flag.summary }))
  if (row !== null) return behindVerb(typed, row, verbs, names)
  if (isCommand || current.startsWith('/')) return inTopic(typed, current, names)
  return [...verbOffers(verbs), ...(await names.topics())]
}

/** The flags that may stand there. */
function standing({ words, row, sub, flags }: Typed): readonly FlagText[] {
  if (row === null) return flags.filter(({ name }) => isBefore(name, words))
  const usage = [...row.usage, ...(sub?.usage ?? [])]
  return flags.filter((flag) => {
    const shared = GLOBAL_FLAGS.find((each) => each === flag)
    if (shared === undefined || shared.name === 'help') return true
    const isNamed = usage.some((line) => line.includes(`[${flagName(flag)}]`))
    const isForm = row.isText === true && ['json', 'plain'].includes(flag.name)
    return isNamed || (row.ownFlags !== true && shared.ofCommands !== true && !isForm)
  })
}

/** Whether a flag of `string` may stand before a command. */
function isBefore(name: string, [topic]: readonly string[]): boolean {
  if (topic === undefined) return true
  if (name === 'wait' && parseTopic(topic)?.type !== 'bash') return false
  return !isOld(name) && mayFollow(name, 1)
}

async function behindVerb(
  typed: Typed,
  row: VerbRow,
  verbs: readonly VerbRow[],
  names: Names,
): Promise<readonly Offer[]> {
  const { words, sub } = typed
  if (row.takes === 'verb' && words.length === 2) return subverbOffers(verbs.find(({ name }) => name === words[1]))
  const shown = sub ?? row
  const place = words.length - (sub === null ? 1 : 2)
  const offers = await taken(placeOf(shown, place), typed, verbs, names)
  const others = shown.many === true ? offers.filter(({ text }) => !words.includes(text)) : offers
  return words.length === 1 ? [...subverbOffers(row), ...others] : others
}

/** What the word at a place behind a verb may be. */
function placeOf({ takes, takesNext, many }: VerbRow | SubverbRow, place: number): Takes | undefined {
  if (place === 0) return takes
  if (place === 1 && takesNext !== undefined) return takesNext
  return many === true ? (takesNext ?? takes) : undefined
}

async function inTopic({ words, topic }: Typed, current: string, names: Names): Promise<readonly Offer[]> {
  const isInMain = topic === null && (words[0] ?? current).startsWith('/')
  const [name, command] =
    topic !== null ? [topic, words] : isInMain ? ['main', words] : [words[0] ?? '', words.slice(1)]
  const found = await names.commands(name, [...command, current].join(' '))
  // In quotes a whole command is one word of the shell, of which the last one is completed.
  const before = current.slice(0, current.lastIndexOf(' ') + 1)
  return found.map(({ text, about }) => ({ text: `${before}${text}`, about }))
}

function readTyped(before: readonly string[], verbs: readonly VerbRow[]): Typed {
  const words: string[] = []
  let topic: string | null = null
  let agent: string | null = null
  let open: FlagText | null = null
  const place = (): Pick<Typed, 'row' | 'sub' | 'flags'> => {
    const row =
      topic === null && words[1]?.startsWith('/') !== true ? verbs.find(({ name }) => name === words[0]) : undefined
    const sub = row?.subverbs?.find(({ name, aliases = [] }) => [name, ...aliases].includes(words[1] ?? ''))
    const own = [...(sub?.flags ?? []), ...(row?.flags ?? [])]
    const global = [...GLOBAL_FLAGS, ...OLD_FLAGS].filter(({ name }) => !own.some((flag) => flag.name === name))
    return {
      row: row ?? null,
      sub: sub ?? null,
      flags: [...own, ...global.filter(({ name }) => row === undefined || !isOld(name))],
    }
  }
  let isOver = false
  for (let at = 0; at < before.length; at += 1) {
    const { flags, row } = place()
    const isEnd: boolean = !isOver && before[at] === '--'
    isOver ||= isEnd || (row === null && takesAll(words, topic))
    if (isOver) {
      // Before a command it is ours alone.
      if (!isEnd || words.length > commandAt(words, topic)) words.push(before[at] ?? '')
      continue
    }
    const [read] = [...eachWord(flagTable(flags), GRAMMAR, before.slice(at, at + 2))]
    const flag = flags.find(({ name }) => name === read?.name)
    if (flag === undefined) words.push(before[at] ?? '')
    else if (read?.ok === false && read.reason === 'valueless') open = flag
    else if (flag.name === 'topic' && read?.ok === true && read.value !== true) topic = read.value
    else if (flag.name === 'agent' && read?.ok === true && read.value !== true) agent = read.value
    if (flag?.value !== undefined && read?.ok === true && !(before[at] ?? '').includes('=')) at += 1
  }
  isOver ||= place().row === null && takesAll(words, topic)
  return { words, topic, agent, open, isOver, ...place() }
}

function isOld(name: string): boolean {
  return OLD_FLAGS.some((flag) => flag.name === name)
}

async function taken(
  takes: Takes | undefined,
  typed: Typed,
  verbs: readonly VerbRow[],
  names: Names,
): Promise<readonly Offer[]> {
  if (takes === undefined || takes === 'text') return []
  if (typeof takes !== 'string') return takes.map((text) => ({ text, about: '' }))
  if (takes === 'file' || takes === 'folder') return [{ text: `:${takes}`, about: '' }]
  if (takes === 'verb') return verbOffers(verbs)
  const looks = {
    agent: names.agents,
    talker: names.talkers,
    topic: names.topics,
    turn: () => names.turns(),
    'open turn': () => names.turns('open'),
    'ended turn': () => names.turns('ended'),
    event: () => names.events(),
    'pending event': () => names.events('pending'),
    approval: names.approvals,
    session: () => names.sessions(namedAgent(typed)),
    node: names.nodes,
    client: names.clients,
    package: () => names.commands('main', '/info '),
  }
  return looks[takes]()
}

/** The agent that the words before are about. */
function namedAgent({ agent, row, words }: Typed): string | null {
  const isWord = row?.takes === 'agent' || row?.takes === 'talker'
  return agent ?? (isWord ? (words[1] ?? null) : null)
}

function verbOffers(verbs: readonly VerbRow[]): Offer[] {
  return verbs.filter(({ name }) => !name.startsWith('_')).map(({ name, summary }) => ({ text: name, about: summary }))
}

function subverbOffers(row: VerbRow | undefined): Offer[] {
  return (row?.subverbs ?? []).map(({ name, summary }) => ({ text: name, about: summary }))
}
