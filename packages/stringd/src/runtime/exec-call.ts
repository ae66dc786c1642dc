import { count, type Failure, fail, LIMITS, type Pagers, type Result, type Topic } from '@string-os/protocol'
import type { ReadCommand } from '../command/dispatch.ts'
import { TOPIC_KINDS } from '../command/topic-kinds.ts'
import type { JobOptions, WatchCaller } from '../queue/topic-queue.ts'
import type { ShownDocument } from '../session/session.ts'
import type { Agent } from '../store/agents.ts'
import type { RunningCommand } from './running-command.ts'

export type { WatchCaller }

/** A command to run. */
export interface ExecCall extends Omit<JobOptions, 'waitMs'> {
  readonly agent: Agent
  readonly topic: Topic
  readonly command: string
  /** The command as it was read already. */
  readonly read?: ReadCommand
  readonly cwd: string | null
  /** The folder was said for commands of whatever topic: where one has a shell, its folder comes first. */
  readonly isCwdForAll?: true
  /** When its caller gives up (on the clock of `performance`): it waits and runs a shell command no longer. */
  readonly deadline?: number
  /** What the caller gave the request to know it by. */
  readonly requestId?: string | null
  /** A caller that goes away while the command runs ends it; otherwise it runs to its end. */
  readonly cancelOnLeave?: boolean
  /** How long input of a bash topic is waited for, where that is less than usual. */
  readonly shellWaitMs?: number | null
  /** Up to where the caller has read what the shell of a bash topic printed. */
  readonly shellSeen?: string | null
  /** What is typed is a command, and no input for what runs in a bash topic. */
  readonly shellAtPrompt?: boolean
  /** What a bash topic answers has its styles beside it. */
  readonly shellStyles?: boolean
  /** Which rows of what a program draws come along, where that is shown on a terminal. */
  readonly shellDrawn?: 'over' | 'all' | null
  /** Those of the person who types at its prompt. */
  readonly shellPagers?: Pagers | null
  /** Nothing is to be left of it: not even the caller's folder is remembered. */
  readonly onlyLooks?: true
  /** Its caller hears of events only through answers. */
  readonly announce?: boolean
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
      /** What the topic shows now. */
      readonly document: ShownDocument | null
      /** The mode that the session is in now. */
      readonly mode: 'edit' | null
      /** A line for the end of the answer, about what else there is. */
      readonly notice: string | null
    }
  | Unserved
  | { readonly kind: 'left'; readonly topic: Topic }

/** It did not get its turn, behind what runs in the topic. */
interface Unserved {
  readonly kind: 'full' | 'timeout'
  readonly topic: Topic
  readonly running: RunningCommand | null
}

/** Why a command did not get its turn. */
export function queueFailure(agentId: string, { kind, topic, running }: Unserved): Failure {
  const whatRuns = [`${topic.written} is running ${shownRun(running)}`, stopHint(topic)]
  if (kind === 'timeout')
    return fail('QUEUE_TIMEOUT', 'Timed out waiting in queue.', 'Send it again, or use another topic', ...whatRuns)
  const name = `${agentId}:${topic.canonical}`
  return fail(
    'QUEUE_FULL',
    `Topic ${name} has ${LIMITS.queueWaiting} commands queued. Try again later.`,
    ...whatRuns,
    'Other topics do not wait for this one',
  )
}

function shownRun(running: RunningCommand | null): string {
  return running === null ? 'another command' : `${running.facts().command} (for ${count(running.seconds, 'second')})`
}

function stopHint({ type, written }: Topic): string {
  return TOPIC_KINDS[type].stopHint ?? `/exec string stop ${written} in another topic ends it`
}

/** How long a command may wait for its turn: whoever gives up soon still gets to see what it does. */
export function waitOf({ deadline }: ExecCall): number {
  if (deadline === undefined) return LIMITS.queueWaitMs
  return Math.max(0, deadline - performance.now() - LIMITS.mcpRunMs)
}

/** Says what has the topic, since when, and what can be done about it. */
export function busy(topic: Topic, running: RunningCommand | null): ExecOutcome {
  const name = topic.canonical
  return refusedOutcome(
    topic,
    fail(
      'BUSY',
      `Topic ${name} is running ${shownRun(running)}`,
      'Try again when it has ended, or use another topic',
      stopHint(topic),
    ),
  )
}

/** It was waiting when its topic was closed or stopped, or came when the daemon was stopping. */
export function dropped(topic: Topic): ExecOutcome {
  return refusedOutcome(
    topic,
    fail('CANCELLED', 'The command was dropped before it began; it did not run', 'Send it again'),
  )
}

export function tooManyTopics(topic: Topic): ExecOutcome {
  const message = `There are ${LIMITS.topics} topics already`
  return refusedOutcome(topic, fail('LIMIT_REACHED', message, '/topics lists yours, /close ends one'))
}

export function refusedOutcome(topic: Topic, result: Failure): ExecOutcome {
  return { kind: 'done', result, topic, document: null, mode: null, notice: null }
}
