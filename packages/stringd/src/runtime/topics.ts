import { LIMITS, type Topic } from '@string-os/protocol'
import { UndoSteps } from '../editing/undo-steps.ts'
import { TopicQueue } from '../queue/topic-queue.ts'
import { Session } from '../session/session.ts'
import type { TopicState } from '../session/topic-state.ts'
import type { RunningCommand } from './running-command.ts'

/** A topic that is in use: its queue, and the session that its commands share. */
export interface Slot {
  readonly agentId: string
  readonly topic: Topic
  readonly queue: TopicQueue
  /** The command that has the topic now. */
  running: RunningCommand | null
  /** Those that only wait for what its shell prints. */
  readonly looks: Set<RunningCommand>
  session: Session
}

/** All topics of all agents. */
export class Topics {
  readonly #byAgent = new Map<string, Map<string, Slot>>()
  #size = 0
  readonly undos = new UndoSteps()

  get size(): number {
    return this.#size
  }

  /** The slot of a topic, made on first contact; null when there are as many as there may be. */
  touch(agentId: string, topic: Topic): { slot: Slot; created: boolean } | null {
    const slots = this.#byAgent.get(agentId)
    const existing = slots?.get(topic.canonical)
    if (existing !== undefined) return { slot: existing, created: false }
    if (this.#size >= LIMITS.topics) return null
    const slot = newSlot(agentId, topic)
    if (slots === undefined) this.#byAgent.set(agentId, new Map([[topic.canonical, slot]]))
    else slots.set(topic.canonical, slot)
    this.#size += 1
    return { slot, created: true }
  }

  get(agentId: string, topic: Topic): Slot | undefined {
    return this.#byAgent.get(agentId)?.get(topic.canonical)
  }

  /** A session was closed from inside: whoever waits behind it goes on in a fresh one. */
  renew(slot: Slot): void {
    this.undos.forget(slot.session)
    if (slot.queue.length > 0) slot.session = new Session(slot.topic, new Date())
    else this.forget(slot)
  }

  forget(slot: Slot): void {
    const slots = this.#byAgent.get(slot.agentId)
    if (slots?.get(slot.topic.canonical) !== slot) return
    slots.delete(slot.topic.canonical)
    this.undos.forget(slot.session)
    if (slots.size === 0) this.#byAgent.delete(slot.agentId)
    this.#size -= 1
  }

  slots(agentId?: string): Slot[] {
    const maps =
      agentId === undefined ? [...this.#byAgent.values()] : [this.#byAgent.get(agentId) ?? new Map<string, Slot>()]
    return maps.flatMap((slots) => [...slots.values()])
  }
}

export function newSlot(agentId: string, topic: Topic): Slot {
  return {
    agentId,
    topic,
    queue: new TopicQueue(),
    running: null,
    looks: new Set(),
    session: new Session(topic, new Date()),
  }
}

export function stateOf({ agentId, topic, queue, session, running }: Slot): TopicState {
  return {
    agentId,
    topic,
    isRunning: queue.running,
    waiting: queue.length,
    running: running?.facts() ?? null,
    document: session.shown,
  }
}
