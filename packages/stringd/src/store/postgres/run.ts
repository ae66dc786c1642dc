import type { Query, ServerAnswer } from './link.ts'

/** Runs a statement: on a connection of its own, or in a transaction. */
export type Run = (query: Query, values?: readonly unknown[]) => Promise<ServerAnswer>
