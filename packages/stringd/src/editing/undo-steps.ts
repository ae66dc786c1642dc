import { LIMITS } from '@string-os/protocol'

/** What the last edit of a topic did. */
export interface UndoStep {
  readonly path: string
  /** What was there before; null when the edit made the file. */
  readonly before: Buffer | null
  /** What the edit left. */
  readonly after: string
}

/** Why a topic has no edit to take back: it made none, it took it back, or there was no room to keep it. */
export type WhyNone = 'none' | 'taken' | 'dropped'

/** The last edit of every topic. They have one total: of more, the oldest are let go. */
export class UndoSteps {
  readonly #steps = new Map<object, UndoStep>()
  readonly #gone = new WeakMap<object, WhyNone>()
  #bytes = 0

  of(session: object): UndoStep | WhyNone {
    return this.#steps.get(session) ?? this.#gone.get(session) ?? 'none'
  }

  set(session: object, step: UndoStep): void {
    this.forget(session)
    this.#steps.set(session, step)
    this.#bytes += costOf(step)
    for (const [oldest] of this.#steps) {
      if (this.#bytes <= LIMITS.undoBytes) break
      this.forget(oldest)
      this.#gone.set(oldest, 'dropped')
    }
  }

  /** It was taken back. */
  take(session: object): void {
    this.forget(session)
    this.#gone.set(session, 'taken')
  }

  /** Its topic is closed, or there is a later one. */
  forget(session: object): void {
    const step = this.#steps.get(session)
    this.#gone.delete(session)
    if (step === undefined) return
    this.#steps.delete(session)
    this.#bytes -= costOf(step)
  }
}

function costOf({ path, before }: UndoStep): number {
  return 500 + path.length + (before?.length ?? 0)
}
