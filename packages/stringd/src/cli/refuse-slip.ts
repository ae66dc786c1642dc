import { StringClient } from '@string-os/client'
import { DEFAULT_AGENT, DEFAULT_TOPIC, isHub } from '@string-os/protocol'
import type { Config } from '../config.ts'
import { addressOf, runningDaemon } from './daemon/find-daemon.ts'
import { usageError } from './exit.ts'
import { nearestVerb } from './find-verb.ts'
import { subverbMeant } from './subverb-meant.ts'
import type { VerbRow } from './verb-row.ts'
import { calledOtherwise, meantInstead, nearlyMeant, toldOnPage } from './verb-synonyms.ts'

/**
 * A word that is nearly a verb, stands behind one, or is the name of an agent or of a command elsewhere, is taken for a topic
 * only where one of that name is open, or a command follows.
 */
export async function refuseSlip(words: readonly string[], verbs: readonly VerbRow[], config: Config): Promise<void> {
  const [word = '', next = ''] = words
  if (/^\/|^-$/.test(word) || /^\/|^-$/.test(next) || isHub(word) || !/^[\w.-]+$/.test(word)) return
  if (word === DEFAULT_TOPIC.canonical) return
  const { agents, topics } = await known(config)
  const advice = adviceFor(words, verbs, agents)
  if (advice === null || topics.includes(word)) return
  throw usageError(`There is no verb '${word}'. ${advice}\nFor a topic of that name: string --topic ${word}`)
}

function adviceFor(words: readonly string[], verbs: readonly VerbRow[], agents: readonly string[]): string | null {
  const [word = '', next = ''] = words
  const page = toldOnPage(word)
  if (page !== null) return page
  const close = nearestVerb(word, verbs)
  const ofAgent = agents.includes(next) ? calledOtherwise(word) : null
  const meant =
    subverbMeant(words, verbs, { agents, isSure: true }) ??
    (ofAgent === null ? meantInstead(words) : `string ${ofAgent} ${next}`) ??
    (close === null ? null : `'${close}'`) ??
    subverbMeant(words, verbs, { agents, isSure: false }) ??
    nearlyMeant(words)
  if (meant !== null) return `Did you mean ${meant}?`
  return agents.includes(word) && word !== DEFAULT_AGENT ? `It is an agent: string chat ${word} speaks to it` : null
}

/** Asks the daemon that runs; none is started for it. */
async function known(config: Config): Promise<{ agents: readonly string[]; topics: readonly string[] }> {
  const record = runningDaemon(config)
  if (record === null) return { agents: [], topics: [] }
  const client = new StringClient({ ...addressOf(record), agent: config.agent })
  const [agents, sessions] = await Promise.all([client.agents.list(), client.sessions.list(config.agent)])
  return { agents: agents.map(({ id }) => id), topics: sessions.map(({ topic }) => topic) }
}
