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
  return lostText(at.view.document, at)
}

function lostText(document: DocumentMeta | null, where: Whereabouts): string {
  const rest = 'every topic has lost its variables, history and undo, and what ran in shells has ended'
  if (document === null) return `(The daemon had gone, and is there again: ${rest})`
  const { place, command } = openingOf(document, where)
  return `(The daemon had gone, and is there again: ${place} is not open any more, ${rest}; ${command} opens it again)`
}
