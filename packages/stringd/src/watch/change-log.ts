import { LIMITS, type WatchChange, type WatchKind } from '@string-os/protocol'

/** Something that is another than it was. */
export interface Change {
  readonly kind: WatchKind
  readonly id: string
  readonly agentId: string
  readonly isDeleted?: boolean
}

/** The latest changes in their order, of each thing the last one; bounded. */
export class ChangeLog {
  readonly #byThing = new Map<string, WatchChange>()
  #seq: number
  /** What changed up to here may not be known. */
  #oldest: number

  constructor(seq: number) {
    this.#seq = seq
    this.#oldest = seq
  }

  get seq(): number {
    return this.#seq
  }

  add({ kind, id, agentId, isDeleted = false }: Change): WatchChange {
    this.#seq += 1
    const change: WatchChange = { seq: this.#seq, kind, id, agent_id: agentId, ...(isDeleted ? { deleted: true } : {}) }
    const key = thingOf(change)
    // Taken out first: the order of the map is that of the changes.
    this.#byThing.delete(key)
    this.#byThing.set(key, change)
    if (this.#byThing.size > LIMITS.watchedChanges) this.#forgetOldest()
    return change
  }

  /** What changed after a place, oldest first; null when that is not known. */
  since(seq: number, limit: number): WatchChange[] | null {
    if (!this.knows(seq)) return null
    const found: WatchChange[] = []
    for (const change of this.#byThing.values()) {
      if (change.seq > seq) found.push(change)
      if (found.length === limit) break
    }
    return found
  }

  knows(seq: number): boolean {
    return seq >= this.#oldest && seq <= this.#seq
  }

  /** From here on nothing of before is known, at a place above `least`. */
  restart(least = 0): void {
    this.#byThing.clear()
    this.#seq = Math.max(this.#seq + 1, least)
    this.#oldest = this.#seq
  }

  #forgetOldest(): void {
    const [first] = this.#byThing
    if (first === undefined) return
    this.#byThing.delete(first[0])
    this.#oldest = first[1].seq
  }
}

/** What two changes of one thing share. */
export function thingOf({ kind, id, agent_id }: WatchChange): string {
  return `${kind} ${agent_id} ${id}`
}
