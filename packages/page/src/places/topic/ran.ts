import type { ExecResult } from '@string-os/client/browser'
import type { Answer } from '../../data/answer.ts'

/** What was typed, and what came back; null while it runs. */
export interface Ran {
  readonly cmd: string
  readonly answer: Answer<ExecResult> | null
}
