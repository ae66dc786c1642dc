import { type ReadonlySignal, signal } from '@preact/signals'
import type { Answer } from '../data/answer.ts'

export interface Notice {
  readonly kind: 'done' | 'failed'
  readonly text: string
}

/** How long a notice stays that nobody has to do anything about. */
const DONE_MS = 5_000

/** One line about what somebody just did. */
export class Notices {
  readonly #notice = signal<Notice | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined

  get notice(): ReadonlySignal<Notice | null> {
    return this.#notice
  }

  show(notice: Notice | null): void {
    clearTimeout(this.#timer)
    this.#notice.value = notice
    if (notice?.kind === 'done') this.#timer = setTimeout(() => this.show(null), DONE_MS)
  }

  /** Says what came of a request; true where it did what was wanted. */
  tell<T>(answer: Answer<T>, done: string): answer is { readonly ok: true; readonly value: T } {
    this.show(answer.ok ? { kind: 'done', text: done } : { kind: 'failed', text: answer.reason })
    return answer.ok
  }
}
