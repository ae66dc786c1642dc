import { invalid, type Parsed, valid } from './http.ts'
import { isFields } from './json.ts'
import { LIMITS } from './limits.ts'

/** All but the first are for good. `expired`: nobody answered in time; `withdrawn`: whoever asked does not want it any more. */
export const APPROVAL_STATES = ['waiting', 'allowed', 'denied', 'expired', 'withdrawn'] as const

export type ApprovalState = (typeof APPROVAL_STATES)[number]

export const APPROVAL_ANSWERS = ['allow', 'deny'] as const

export type ApprovalAnswer = (typeof APPROVAL_ANSWERS)[number]

/** A question that waits for a person, or what became of it. */
export interface ApprovalView {
  readonly id: string
  readonly agent_id: string
  readonly turn_id: string | null
  /** What is asked for: `permission` to use a tool. */
  readonly kind: string
  /** One line. */
  readonly question: string
  /** Exactly what will run; what cannot be seen is made visible. */
  readonly detail: string
  readonly choices: readonly ApprovalAnswer[]
  readonly created_at: string
  /** When it counts as denied. */
  readonly expires_at: string
  readonly state: ApprovalState
  readonly answer: ApprovalAnswer | null
  readonly answered_by: string | null
  readonly answered_at: string | null
  readonly note: string | null
}

/** Body of `POST /approvals/:id`. */
export interface ApprovalAnswered {
  readonly answer: ApprovalAnswer
  readonly note: string | null
  readonly by: string
}

/** Who answers and says no more of himself. */
const SOMEBODY = 'person'

export function parseApprovalAnswer(body: unknown): Parsed<ApprovalAnswered> {
  if (!isFields(body)) return invalid('Invalid JSON body — expected { "answer": "allow" }')
  const { note = null, by = null } = body
  const answer = APPROVAL_ANSWERS.find((each) => each === body.answer)
  if (answer === undefined) return invalid(`"answer" is one of ${APPROVAL_ANSWERS.join(', ')}`)
  if (note !== null && (typeof note !== 'string' || note.length > LIMITS.approvalNoteChars))
    return invalid(`"note" must be a string of at most ${LIMITS.approvalNoteChars} characters`)
  if (by !== null && (typeof by !== 'string' || by.length > LIMITS.sessionNameChars))
    return invalid(`"by" must be a string of at most ${LIMITS.sessionNameChars} characters`)
  if ([note ?? '', by ?? ''].some((text) => text.includes('\0') || !text.isWellFormed()))
    return invalid('A text holds a NUL or half a character')
  return valid({ answer, note: note === '' ? null : note, by: by === null || by === '' ? SOMEBODY : by })
}
