import type { AgentUsage } from '@string-os/bridge'
import type { TurnUsage } from '@string-os/protocol'

/** What several runs of an agent cost together; what none of them says is absent. */
export function summedUsage(runs: readonly (AgentUsage | null)[], durationMs: number): TurnUsage {
  const sums = new Map<string, number>()
  for (const run of runs) {
    for (const [name, value] of Object.entries(run ?? {})) sums.set(name, (sums.get(name) ?? 0) + value)
  }
  return { ...Object.fromEntries(sums), duration_ms: durationMs }
}

/** All tokens of a turn, however the agent counted them. */
export function tokensOf({ total_tokens, input_tokens = 0, output_tokens = 0 }: TurnUsage): number {
  return total_tokens ?? input_tokens + output_tokens
}
