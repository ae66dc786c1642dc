import type { ExecAnswer } from '@string-os/protocol'
import type { Answer } from '../../data/request.ts'

/** What was typed, and what came back; null while it runs. */
export interface Ran {
  readonly cmd: string
  readonly answer: Answer<ExecAnswer> | null
}
