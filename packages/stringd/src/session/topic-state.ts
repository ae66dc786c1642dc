import type { Topic } from '@string-os/protocol'
import type { ShownDocument } from './session.ts'

/** How a topic stands, for whoever lists topics. */
export interface TopicState {
  readonly agentId: string
  readonly topic: Topic
  readonly isRunning: boolean
  /** Commands that wait behind the one that runs. */
  readonly waiting: number
  readonly running: RunningFacts | null
  readonly document: ShownDocument | null
}

/** The command that has a topic. */
export interface RunningFacts {
  readonly command: string
  readonly since: string
  /** What its caller gave the request to know it by. */
  readonly requestId: string | null
}
