import { LIMITS } from '@string-os/protocol'

/** What the last edit of a topic did. */
export interface UndoStep {
  readonly path: string
  /** What was there before; null when the edit made the file. */
  readonly before: Buffer | null
  /** What the edit left. */
  readonly after: string
}

/** The last edit of every topic. They have one total: of more, the oldest are let go. */
export class UndoSteps {
  readonly #steps = new Map<object, UndoStep>()
  readonly #dropped = new WeakSet<object>()
  #bytes = 0

  /** `dropped`: there was one, and no room to keep it. */
  of(session: object): UndoStep | 'dropped' | null {
    return this.#steps.get(session) ?? (this.#dropped.has(session) ? 'dropped' : null)
  }

  set(session: object, step: UndoStep): void {
    this.forget(session)
    this.#steps.set(session, step)
    this.#bytes += costOf(step)
    for (const [oldest] of this.#steps) {
      if (this.#bytes <= LIMITS.undoBytes) break
      this.forget(oldest)
      this.#dropped.add(oldest)
    }
  }

  /** It was taken back, or its topic is closed. */
  forget(session: object): void {
    const step = this.#steps.get(session)
    this.#dropped.delete(session)
    if (step === undefined) return
    this.#steps.delete(session)
    this.#bytes -= costOf(step)
  }
}

function costOf({ path, before }: UndoStep): number {
  return 500 + path.length + (before?.length ?? 0)
}
