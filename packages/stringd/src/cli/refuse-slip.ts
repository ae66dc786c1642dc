import { StringClient } from '@string-os/client'
import { DEFAULT_AGENT, DEFAULT_TOPIC, isHub } from '@string-os/protocol'
import type { Config } from '../config.ts'
import { shellWord } from '../doctor/shell-word.ts'
import { addressOf, runningDaemon } from './daemon/find-daemon.ts'
import { usageError } from './exit.ts'
import { nearestVerb } from './find-verb.ts'
import { subverbMeant } from './subverb-meant.ts'
import type { VerbRow } from './verb-row.ts'
import { calledOfAgent, meantInstead, nearlyMeant, toldOnPage } from './verb-synonyms.ts'

/**
 * A word that is nearly a verb, stands behind one, or is the name of an agent or of a command elsewhere, is taken for a topic
 * only where one of that name is open, or a command follows.
 */
export async function refuseSlip(words: readonly string[], verbs: readonly VerbRow[], config: Config): Promise<void> {
  const [word = '', next = ''] = words
  if (/^\/|^-$/.test(word) || /^\/|^-$/.test(next) || !/^[\w.-]+$/.test(word)) return
  const plural = isHub(word) ? pluralVerb(word, verbs) : null
  if (isHub(word) && plural === null) return
  if (word === DEFAULT_TOPIC.canonical) return
  const { agents, topics } = await known(config)
  const advice = plural === null ? adviceFor(words, verbs, agents) : `Did you mean ${withRest(plural, words, agents)}?`
  if (advice === null || (plural === null && topics.includes(word))) return
  throw usageError(`There is no verb '${word}'. ${advice}\nFor a topic of that name: string --topic ${word}`)
}

/** A topic that everybody has, and a slip of a verb: that is meant where no command follows. */
function pluralVerb(hub: string, verbs: readonly VerbRow[]): VerbRow | null {
  return verbs.find(({ name }) => name === `${hub}s`) ?? null
}

/** The verb with what is typed behind the slip, as far as it takes that. */
function withRest(row: VerbRow, [, ...rest]: readonly string[], agents: readonly string[]): string {
  const [next = '-'] = rest
  const isTaken = next.startsWith('-') || agents.includes(next) || row.subverbs?.some(({ name }) => name === next)
  return ['string', row.name, ...(isTaken === true ? rest.map(shellWord) : [])].join(' ')
}

function adviceFor(typed: readonly string[], verbs: readonly VerbRow[], agents: readonly string[]): string | null {
  const words = withoutFlags(typed)
  const [word = '', next = ''] = words
  const page = toldOnPage(word)
  if (page !== null) return page
  const close = nearestVerb(word, verbs)
  const ofAgent = agents.includes(next) ? calledOfAgent(word) : null
  const meant =
    subverbMeant(words, verbs, { agents, isSure: true }) ??
    (ofAgent === null ? meantInstead(typed) : `string ${verbOfAgent(ofAgent, verbs)} ${next}`) ??
    (close === null ? null : `'${close}'`) ??
    subverbMeant(words, verbs, { agents, isSure: false }) ??
    nearlyMeant(typed)
  if (meant !== null) return `Did you mean ${meant}?`
  return agents.includes(word) && word !== DEFAULT_AGENT ? `It is an agent: string chat ${word} speaks to it` : null
}

/** What it is about is told by names: flags are those of another program. */
function withoutFlags(words: readonly string[]): readonly string[] {
  return words.filter((word) => !word.startsWith('-'))
}

/** What a verb is for one agent, where it takes none itself. */
function verbOfAgent(name: string, verbs: readonly VerbRow[]): string {
  const takes = verbs.find((row) => row.name === name)?.takes
  if (takes === 'agent' || takes === 'talker') return name
  const isSub = verbs.find((row) => row.name === 'agent')?.subverbs?.some((sub) => sub.name === name)
  return isSub === true ? `agent ${name}` : name
}

/** Asks the daemon that runs; none is started for it. */
async function known(config: Config): Promise<{ agents: readonly string[]; topics: readonly string[] }> {
  const record = runningDaemon(config)
  if (record === null) return { agents: [], topics: [] }
  const client = new StringClient({ ...addressOf(record), agent: config.agent })
  const [agents, sessions] = await Promise.all([client.agents.list(), client.sessions.list(config.agent)])
  return { agents: agents.map(({ id }) => id), topics: sessions.map(({ topic }) => topic) }
}
