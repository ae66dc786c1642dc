/** `untried`: nothing speaks against it, and nothing was found out. */
export const CHECK_STATES = ['ok', 'warn', 'fail', 'untried'] as const

export type CheckState = (typeof CHECK_STATES)[number]

/** What one check found. */
export interface CheckView {
  /** What was looked at, in a word or two. */
  readonly name: string
  readonly state: CheckState
  readonly seen: string
  /** What to type, or to change; null where nothing has to be. */
  readonly mend: string | null
}

/** Answer of `GET /doctor`. */
export interface DoctorView {
  /** Nothing fails. */
  readonly ok: boolean
  readonly version: string
  readonly checks: readonly CheckView[]
}

/** The token of a webhook that is nobody's: `doctor` posts to it, and that it is refused is worth no line of the log. */
export const GUESSED_WEBHOOK = `wh_${'A'.repeat(32)}`
