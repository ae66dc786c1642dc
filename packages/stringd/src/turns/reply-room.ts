import type { Profile } from '@string-os/bridge'
import { LIMITS } from '@string-os/protocol'

const MESSAGE_BYTES = LIMITS.agentStringBytes - 4_096
const TAG_BYTES = 512
const MIN_ANSWER_BYTES = 256
/** Escaping adds a byte to a tag, and the shortest one has four. */
const ESCAPED = 5 / 4

/** Whether answers reach the agent in a variable, which holds only so much. */
function isVariable({ stdin, wire }: Profile): boolean {
  return stdin === 'none' && wire === '0.1'
}

/** What a variable cannot hold is cut in each answer, which names the file with the rest. */
export function answerRoom(profile: Profile, blocks: number): { answerBytes?: number } {
  if (!isVariable(profile)) return {}
  const each = Math.floor(MESSAGE_BYTES / ESCAPED / Math.max(1, blocks)) - TAG_BYTES
  return { answerBytes: Math.max(MIN_ANSWER_BYTES, each) }
}

/** As many replies as a variable holds, and how many there are beside them. */
export function fittingReplies(profile: Profile, replies: string): string {
  if (!isVariable(profile) || Buffer.byteLength(replies) <= MESSAGE_BYTES) return replies
  // Tags in what a block answers are escaped, so these begin replies.
  const all = replies.split(/\n\n(?=<𝒞=)/)
  const kept: string[] = []
  let bytes = 0
  for (const reply of all) {
    bytes += Buffer.byteLength(reply) + 2
    if (bytes > MESSAGE_BYTES - TAG_BYTES) break
    kept.push(reply)
  }
  const left = all.length - kept.length
  const what = left === 1 ? '1 further reply is' : `${left} further replies are`
  return [...kept, `(${what} left out, though the blocks were run. Write fewer blocks at a time.)`].join('\n\n')
}
