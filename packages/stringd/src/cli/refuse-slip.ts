import { StringClient } from '@string-os/client'
import { isHub } from '@string-os/protocol'
import type { Config } from '../config.ts'
import { addressOf, runningDaemon } from './daemon/find-daemon.ts'
import { usageError } from './exit.ts'
import { nearestVerb } from './find-verb.ts'
import type { VerbRow } from './verb-row.ts'
import { meantInstead, nearlyMeant, toldOnPage } from './verb-synonyms.ts'

/** A word that is nearly a verb, or the name of a command elsewhere, is taken for a topic only where one of that name is open, or a command follows. */
export async function refuseSlip(words: readonly string[], verbs: readonly VerbRow[], config: Config): Promise<void> {
  const [word = '', next = ''] = words
  if (/^\/|^-$/.test(word) || /^\/|^-$/.test(next) || isHub(word)) return
  const close = nearestVerb(word, verbs)
  const instead = meantInstead(words)
  const page = toldOnPage(word)
  const meant = instead ?? (close === null ? nearlyMeant(words) : `'${close}'`)
  const advice = page ?? (meant === null ? null : `Did you mean ${meant}?`)
  if (advice === null || (await isOpen(word, config))) return
  throw usageError(`There is no verb '${word}'. ${advice}\nFor a topic of that name: string --topic ${word}`)
}

/** Asks the daemon that runs; none is started for it. */
async function isOpen(topic: string, config: Config): Promise<boolean> {
  const record = runningDaemon(config)
  if (record === null) return false
  const sessions = await new StringClient({ ...addressOf(record), agent: config.agent }).sessions.list(config.agent)
  return sessions.some((session) => session.topic === topic)
}
