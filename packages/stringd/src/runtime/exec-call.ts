import { type DocumentMeta, type Failure, fail, LIMITS, type Result, type Topic } from '@string-os/protocol'
import type { JobOptions, WatchCaller } from '../queue/topic-queue.ts'
import type { Agent } from '../store/agents.ts'

export type { WatchCaller }

/** A command to run. */
export interface ExecCall extends JobOptions {
  readonly agent: Agent
  readonly topic: Topic
  readonly command: string
  readonly cwd: string | null
  /** A limit of `/exec` below the daemon's own, for callers that would not wait that long. */
  readonly execMs?: number
  /** What the answer holds, where that is less than it may. */
  readonly answerBytes?: number
  /** Whoever asks for all of a document gets it, however large. */
  readonly mayHaveAll?: boolean
  /** Called when the command has left the queue and begins. */
  readonly onStart?: () => void
}

/** `done`: there is a result. The others: the command never ran, and nothing else happened. */
export type ExecOutcome =
  | {
      readonly kind: 'done'
      readonly result: Result
      readonly topic: Topic
      readonly meta: DocumentMeta | null
      /** The mode that the session is in now. */
      readonly mode: 'edit' | null
    }
  | { readonly kind: 'full' | 'timeout' | 'left'; readonly topic: Topic }

/** Why a command did not get its turn. */
export function queueFailure(agentId: string, kind: 'full' | 'timeout', topic: Topic): Failure {
  if (kind === 'timeout')
    return fail('QUEUE_TIMEOUT', 'Timed out waiting in queue.', 'Send it again, or use another topic')
  const name = `${agentId}:${topic.canonical}`
  return fail(
    'QUEUE_FULL',
    `Topic ${name} has ${LIMITS.queueWaiting} commands queued. Try again later.`,
    'Other topics do not wait for this one',
  )
}

export function busy(topic: Topic): ExecOutcome {
  const message = `Topic ${topic.canonical} is running another command`
  return refused(topic, fail('BUSY', message, 'Try again when it has ended, or use another topic'))
}

export function cancelled(topic: Topic): ExecOutcome {
  return refused(
    topic,
    fail('CANCELLED', 'The topic was closed before the command ended', 'Send it again in a new session'),
  )
}

export function tooManyTopics(topic: Topic): ExecOutcome {
  const message = `There are ${LIMITS.topics} topics already`
  return refused(topic, fail('LIMIT_REACHED', message, '/topics lists yours, /close ends one'))
}

function refused(topic: Topic, result: Failure): ExecOutcome {
  return { kind: 'done', result, topic, meta: null, mode: null }
}
