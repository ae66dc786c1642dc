import type { VerbRow } from './verb-row.ts'
import { AGENT_VERBS } from './verb-rows/agents.ts'
import { DAEMON_VERBS } from './verb-rows/daemon.ts'
import { MACHINE_VERBS } from './verb-rows/machine.ts'
import { PROGRAM_VERBS } from './verb-rows/programs.ts'

/** Everything that `string` does beside running commands in topics, in the order in which help lists it. */
export const VERBS: readonly VerbRow[] = [...AGENT_VERBS, ...PROGRAM_VERBS, ...DAEMON_VERBS, ...MACHINE_VERBS]
