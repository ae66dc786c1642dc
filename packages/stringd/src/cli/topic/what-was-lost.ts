import type { DocumentMeta } from '@string-os/protocol'
import { openingOf, type Whereabouts } from './prompt.ts'
import { daemonOf } from './shell-standing.ts'
import type { Talk } from './talk.ts'

/**
 * What went with the daemon that answered before, where another one does now; told once. Null: nothing. One that has gone is
 * started: it is asked first, so that no command goes to a daemon that is not there, and nobody can tell whether it ran.
 */
export async function whatWasLost(at: Talk): Promise<string | null> {
  await daemonOf(at.client)
  await at.client.ready()
  if (!at.isReplaced) return null
  at.isReplaced = false
  const { document } = at.view
  return lostText(document, at, document !== null && (await isOpenAgain(at, document)))
}

/** The document of the prompt is opened once more, before what is typed about it runs; what is on the web takes its time. */
async function isOpenAgain(at: Talk, document: DocumentMeta): Promise<boolean> {
  if (/^https?:/.test(document.uri)) return false
  const { topic } = at.view
  const opened = await at.client.exec(topic.canonical, openingOf(document, at).command, { cwd: at.cwd })
  const isThere = opened.ok && opened.topic === topic.canonical && opened.meta?.uri === document.uri
  if (isThere) at.view = { ...at.view, document: opened.meta }
  return isThere
}

function lostText(document: DocumentMeta | null, where: Whereabouts, isOpen: boolean): string {
  const rest = 'every topic has lost its variables, history and undo, and what ran in shells has ended'
  if (document === null) return `(The daemon had gone, and is there again: ${rest})`
  const { place, command } = openingOf(document, where)
  if (isOpen) return `(The daemon had gone, and is there again: ${place} was opened again; ${rest})`
  return `(The daemon had gone, and is there again: ${place} is not open any more, ${rest}; ${command} opens it again)`
}
