import { isFields } from '@string-os/protocol'

const COUNTS = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'reasoning_tokens',
  'duration_ms',
] as const

/** What an agent says about the cost of its work. */
export type AgentUsage = { readonly [Name in (typeof COUNTS)[number] | 'cost_usd']?: number }

/** Of what an agent says only what can be added up; null where there is nothing of the kind. */
export function readUsage(value: unknown): AgentUsage | null {
  if (!isFields(value)) return null
  const counts = COUNTS.flatMap((name) => (isCount(value[name]) ? [[name, value[name]] as const] : []))
  const { cost_usd } = value
  const cost = typeof cost_usd === 'number' && cost_usd >= 0 && cost_usd < 1e9 ? { cost_usd } : {}
  const usage: AgentUsage = { ...Object.fromEntries(counts), ...cost }
  return Object.keys(usage).length === 0 ? null : usage
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 48
}
