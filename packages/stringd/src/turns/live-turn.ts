import { type ApprovalView, LIMITS, type TurnEvent, type TurnStepDetail, type TurnTryView } from '@string-os/protocol'
import type { TurnDetail, TurnRow } from '../store/groups/turns.ts'
import type { EndReason } from './run-agent.ts'
import type { RunProgress } from './run-progress.ts'

export type Follower = (event: TurnEvent) => void

const NOTHING_KNOWN = { saidBytes: 0, steps: 0, stderr: '' }

/** A turn that waits or runs, and those who follow it. What it keeps of its texts is bounded. */
export class LiveTurn {
  turn: TurnRow
  /** It is in the store: before that it must not begin. */
  isStored = false
  /** How many messages were joined in it. */
  messages = 1
  /** Not to be run before, on the clock of the daemon. */
  notBefore = 0
  stderr = ''
  /** How its run goes; null while none has begun. */
  progress: RunProgress | null = null
  /** Its runs that failed; null: the store has not been asked. */
  tries: readonly TurnTryView[] | null = null
  /** On the clock of `performance`. */
  renewedAt = performance.now()
  isOver = false
  /** It is not ours any more; what becomes of it is in the store. */
  isTaken = false
  /** Other nodes want to hear what it says. */
  isPassedOn = false
  #partial = ''
  #textBytes = 0
  #stepChars = 0
  #known = NOTHING_KNOWN
  readonly #steps: TurnStepDetail[] = []
  readonly #approvals = new Map<string, ApprovalView>()
  readonly #followers = new Set<Follower>()
  #abort = new AbortController()
  #endReason: EndReason | null = null
  readonly ended: Promise<void>
  #end: () => void = () => undefined
  #runEnded: Promise<void> = Promise.resolve()
  #endRun: () => void = () => undefined

  constructor(turn: TurnRow) {
    this.turn = turn
    this.#nextRun()
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** A person's, as opposed to that of an event. */
  get isAsked(): boolean {
    return this.turn.eventId === null
  }

  /** Of all that was said in this run, kept or not. */
  get textBytes(): number {
    return this.#textBytes
  }

  get detail(): TurnDetail {
    const tries = this.tries ?? []
    const last = { steps: this.#steps, partial: this.#partial, stderr: this.progress?.stderr ?? this.stderr }
    return tries.length === 0 ? last : { ...last, tries }
  }

  /** Whether something was said, done or told on standard error since this was asked last. */
  hasNews(): boolean {
    const before = this.#known
    // All of it is compared: what is kept of standard error is its end, which may stay as long as it is.
    this.#known = { saidBytes: this.#textBytes, steps: this.#steps.length, stderr: this.detail.stderr }
    const { saidBytes, steps, stderr } = this.#known
    return saidBytes > before.saidBytes || steps > before.steps || stderr !== before.stderr
  }

  /** What it asked a person, as it stands. */
  get approvals(): readonly ApprovalView[] {
    return [...this.#approvals.values()]
  }

  /** One that an earlier run asked. */
  recall(approval: ApprovalView): void {
    if (!this.#approvals.has(approval.id)) this.#approvals.set(approval.id, approval)
  }

  /** A question was asked, or is decided. */
  approval(approval: ApprovalView): void {
    this.#approvals.set(approval.id, approval)
    this.tell({ type: 'approval', ...approval })
  }

  /** A run begins: nothing is left of the one before. */
  begin(progress: RunProgress): void {
    this.progress = progress
    this.#partial = ''
    this.#textBytes = 0
    this.#stepChars = 0
    this.#known = NOTHING_KNOWN
    this.#steps.length = 0
    this.stderr = ''
  }

  /** Resolves when what became of its run is stored; it may be run once more. */
  get runEnded(): Promise<void> {
    return this.#runEnded
  }

  /** Whether the end of its run is stored already, as that says which is stored, and whoever runs it has yet to hear. */
  isBehind(stored: TurnRow): boolean {
    return stored.state === 'queued' && this.turn.state !== 'queued' && stored.claim === this.turn.claim
  }

  /** It is to be run once more. */
  again(): void {
    this.#abort = new AbortController()
    this.#endReason = null
    this.#endRun()
    this.#nextRun()
  }

  #nextRun(): void {
    this.#runEnded = new Promise((resolve) => {
      this.#endRun = resolve
    })
  }

  /** Why it is to end; null when nobody wants that. The first reason counts. */
  get endReason(): EndReason | null {
    return this.#endReason
  }

  stop(reason: EndReason): void {
    this.#endReason ??= reason
    this.#abort.abort(reason)
  }

  partial(text: string): void {
    this.#textBytes += Buffer.byteLength(text)
    this.#partial += text.slice(0, Math.max(0, LIMITS.turnPartialChars - this.#partial.length))
    this.tell({ type: 'partial', text })
  }

  step({ replies = '', ...step }: TurnStepDetail): void {
    const text = this.#roomFor(step.text)
    this.#steps.push({ ...step, text, replies: this.#roomFor(replies) })
    this.tell({ type: 'step', ...step })
  }

  /** As much of a text as all steps together may still keep. */
  #roomFor(text: string): string {
    const kept = text.slice(0, Math.max(0, LIMITS.turnStepsChars - this.#stepChars))
    this.#stepChars += kept.length
    return kept
  }

  tell(event: TurnEvent): void {
    for (const follower of this.#followers) follower(event)
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  over(): void {
    this.isOver = true
    this.#followers.clear()
    this.#endRun()
    this.#end()
  }
}
