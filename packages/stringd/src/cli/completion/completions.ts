import { eachWord, type FlagGrammar } from '@string-os/protocol'
import { commandAt, takesAll } from '../arguments.ts'
import { flagTable } from '../find-verb.ts'
import { GLOBAL_FLAGS } from '../global-flags.ts'
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
  const { words, row, sub, flags, open, isOver } = typed
  if (open !== null) return taken(open.takes, verbs, names)
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(current) ?? []
  const valued = flags.find((flag) => flag.name === name && flag.value !== undefined)
  if (valued !== undefined && value !== undefined && !isOver)
    return (await taken(valued.takes, verbs, names)).map(({ text, about }) => ({ text: `--${name}=${text}`, about }))
  const isCommand = row === null && (words[0]?.startsWith('/') === true || typed.topic !== null || words.length > 0)
  if (
    current.startsWith('-') &&
    !isOver &&
    (row !== null || !isCommand || (words.length === 1 && typed.topic === null))
  )
    return flags.map((flag) => ({ text: `--${flag.name}`, about: flag.summary }))
  if (row !== null) return behindVerb(typed, row, sub, verbs, names)
  if (isCommand || current.startsWith('/')) return inTopic(typed, current, names)
  return [...taking(verbs), ...(await names.topics())]
}

async function behindVerb(
  { words }: Typed,
  row: VerbRow,
  sub: SubverbRow | null,
  verbs: readonly VerbRow[],
  names: Names,
): Promise<readonly Offer[]> {
  if (row.takes === 'verb' && words.length === 2) {
    const named = verbs.find(({ name }) => name === words[1])
    return (named?.subverbs ?? []).map(({ name, summary }) => ({ text: name, about: summary }))
  }
  if (row.subverbs !== undefined && words.length === 1)
    return row.subverbs.map(({ name, summary }) => ({ text: name, about: summary }))
  return taken((sub ?? row).takes, verbs, names)
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
  let open: FlagText | null = null
  const place = (): Pick<Typed, 'row' | 'sub' | 'flags'> => {
    const row =
      topic === null && words[1]?.startsWith('/') !== true ? verbs.find(({ name }) => name === words[0]) : undefined
    const sub = row?.subverbs?.find(({ name }) => name === words[1])
    const own = [...(sub?.flags ?? []), ...(row?.flags ?? [])]
    const global = [...GLOBAL_FLAGS, ...OLD_FLAGS].filter(({ name }) => !own.some((flag) => flag.name === name))
    return {
      row: row ?? null,
      sub: sub ?? null,
      flags: [...own, ...global.filter((flag) => row === undefined || !OLD_FLAGS.includes(flag))],
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
    if (flag?.value !== undefined && read?.ok === true && !(before[at] ?? '').includes('=')) at += 1
  }
  isOver ||= place().row === null && takesAll(words, topic)
  return { words, topic, open, isOver, ...place() }
}

async function taken(takes: Takes | undefined, verbs: readonly VerbRow[], names: Names): Promise<readonly Offer[]> {
  if (takes === undefined || takes === 'text') return []
  if (typeof takes !== 'string') return takes.map((text) => ({ text, about: '' }))
  if (takes === 'file' || takes === 'folder') return [{ text: `:${takes}`, about: '' }]
  if (takes === 'verb') return taking(verbs)
  const looks = {
    agent: names.agents,
    talker: names.talkers,
    topic: names.topics,
    turn: () => names.turns(),
    'open turn': () => names.turns('open'),
    'ended turn': () => names.turns('ended'),
    client: names.clients,
    package: () => names.commands('main', '/info '),
  }
  return looks[takes]()
}

function taking(verbs: readonly VerbRow[]): Offer[] {
  return verbs.filter(({ name }) => !name.startsWith('_')).map(({ name, summary }) => ({ text: name, about: summary }))
}
