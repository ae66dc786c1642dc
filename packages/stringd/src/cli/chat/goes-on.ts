import { shortId } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import type { Conversation } from './conversation.ts'

/** What is said to a person who leaves while an agent of the daemon works. */
export function goesOnText({ returning }: Conversation, turnId: string): string {
  return inOwnName(
    `The turn goes on: string turn show ${shortId(turnId)} tells how it ends, ${returning()} comes back to it`,
  )
}
