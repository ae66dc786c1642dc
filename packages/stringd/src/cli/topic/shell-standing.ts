import { statSync } from 'node:fs'
import type { StringClient } from '@string-os/client'
import { parseTopic, type Topic } from '@string-os/protocol'
import { readDaemonRecord } from '../../daemon-record.ts'
import { dim } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import { promptOf, type ShellStanding, shownFolder, type TopicView } from './prompt.ts'
import { shortCommand } from './short-command.ts'
import type { Talk } from './talk.ts'

/** How the shell of a topic stands; null where it has none. Asking starts none. */
export async function standingOf(client: StringClient, topic: Topic): Promise<ShellStanding | null> {
  const { data, topic: name } = await client.exec(topic.canonical, '//info')
  if (typeof data?.cwd !== 'string' || parseTopic(name)?.type !== 'bash') return null
  const running = data.running === true && typeof data.command === 'string' ? data.command : null
  return {
    id: data.shell ?? '',
    cwd: data.cwd,
    place: data.place ?? '',
    running,
    hasScreen: false,
    ended: data.ended ?? null,
    last: data.last ?? null,
  }
}

/** How a topic stands: what is open there, or what its shell does. */
export async function viewOf(client: StringClient, topic: Topic): Promise<TopicView> {
  const sessions = await client.sessions.list(client.agent)
  const known = sessions.find((session) => session.topic === topic.canonical)
  const document = known?.doc ?? null
  if (known === undefined || topic.type !== 'bash') return { topic, document, shell: null }
  return { topic, document, shell: await standingOf(client, topic) }
}

/** Which daemon answers; null where none does, and none is started for it. */
export async function daemonOf(client: StringClient): Promise<string | null> {
  if (!(await client.ping().catch(() => false))) return null
  return client.health().then(
    ({ pid, started_at }) => `${pid} ${started_at}`,
    () => null,
  )
}

/**
 * What is typed at a prompt is meant for the shell that it shows. Where another one is there now, or it is elsewhere, the prompt
 * is put right; told is what has changed, else null.
 */
export async function whatChanged(at: Talk): Promise<string | null> {
  const { topic, shell: shown } = at.view
  const now = await standingOf(at.client, topic)
  const isOther = shown?.id !== now?.id
  if (isOther && shown !== null) startAgainIn(at, shown.cwd)
  const said = difference(shown, now, at)
  if (isOther) startReading(at, now)
  if (said === null) return null
  const why = isOther && shown !== null ? `${await whyGone(at)}: ` : ''
  at.view = { ...at.view, shell: now }
  return `(${why}${said})`
}

function difference(shown: ShellStanding | null, now: ShellStanding | null, at: Talk): string | null {
  // What is typed while a program runs is for it, or for the shell behind it.
  const isSame = shown?.id === now?.id
  if (isSame && (shown?.running != null || (shown?.cwd === now?.cwd && now?.running == null))) return null
  if (now?.running != null) return `${shortCommand(now.running)} runs here now; Enter gives it this line`
  const place = shownFolder(now?.cwd ?? at.shellStart, at)
  if (isSame) return `the shell has gone to ${place} meanwhile; Enter runs this there`
  return now === null
    ? `Enter runs this in a fresh shell in ${place}`
    : `another shell is here now, in ${place}; Enter runs this there`
}

/** From now on. */
export function startReading(at: Talk, shell: ShellStanding | null): void {
  at.seen = shell?.place ?? ''
  at.line = null
}

/** The folder that the prompt showed is where the next shell starts, if it is still there. */
function startAgainIn(at: Talk, folder: string): void {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  at.shellStart = isThere ? folder : at.cwd
}

/** What runs has no shell any more. */
export async function sayCutOff(at: Talk, running: string | null = at.view.shell?.running ?? null): Promise<void> {
  const why = await whyGone(at)
  if (at.isSecretAsked) at.reader.dropTyped()
  if (at.view.shell !== null) startAgainIn(at, at.view.shell.cwd)
  at.view = { ...at.view, shell: null }
  const what = running === null ? '' : `: ${shortCommand(running)} was cut off`
  at.reader.fault(`${why}${what}; the next line runs in a fresh shell in ${shownFolder(at.shellStart, at)}`)
  at.reader.changePrompt(promptOf(at.view, at))
}

/** The shell that was there has been ended here, and its answer has said why. */
export function sayFreshShell(at: Talk, before: ShellStanding | null): void {
  if (before !== null) startAgainIn(at, before.cwd)
  startReading(at, null)
  const where = shownFolder(at.shellStart, at)
  at.reader.print(dim(prose(`(the next line runs in a fresh shell in ${where})`, process.stdout), at.paint.color))
}

async function whyGone(at: Talk): Promise<string> {
  const before = at.daemon
  const now = await daemonOf(at.client)
  at.daemon = now
  at.isReplaced = false
  // One that is stopping ends its shells first, and still answers.
  if (now === null || readDaemonRecord(at.dataDir)?.isStopping === true) return 'The daemon has gone'
  return now === before ? 'The shell has been ended elsewhere' : 'The daemon was restarted'
}
