import type { Schema } from './schema.ts'

/** One call that the test makes. `{turn}`, `{token}` and the like in a path stand for what the test has made before. */
export interface Try {
  /** The path with its values and query; the operation's own when it has none to fill in. */
  readonly path?: string
  /** Sent as `X-Agent-Id`. */
  readonly agent?: string
  readonly accept?: string
  /** As a page elsewhere would send it. */
  readonly foreign?: true
  readonly body?: unknown
  /** Of a route that takes any text. */
  readonly text?: string
  readonly status: number
  /** The event with which the test leaves a stream that has no end. */
  readonly until?: string
}

export interface Parameter {
  readonly about: string
  readonly schema?: Schema
  readonly required?: true
}

type Answer = { readonly about: string; readonly json?: Schema; readonly events?: Readonly<Record<string, Schema>> }

export interface Operation {
  readonly id: string
  readonly group: string
  readonly summary: string
  readonly details?: string
  readonly headers?: Readonly<Record<string, Parameter>>
  readonly query?: Readonly<Record<string, Parameter>>
  readonly body?: Schema
  readonly isBodyOptional?: true
  readonly answers: Readonly<Record<number, Answer>>
  /** Statuses of its own, each with its reason; the answer is an Error. What any route may answer is not repeated. */
  readonly refused: Readonly<Record<number, string>>
  /** At least one that is answered with less than 400, and one that is refused. */
  readonly tries: readonly Try[]
}
