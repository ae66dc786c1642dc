import type { StringClient } from '@string-os/client'
import { count, LIMITS, USAGE_GROUPS, type UsageGroup, type UsageView, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { checkAgent } from '../agent/known-agent.ts'
import { namedAgent } from '../agent/named-agent.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { oneOf, parseFlags } from '../flags.ts'
import { type Narrowed, noneFound } from '../none-found.ts'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { lookOf, type StreamLook } from '../terminal/look.ts'
import { prose } from '../terminal/prose.ts'
import { type Column, layTable } from '../terminal/table.ts'
import { parseSince } from '../verb-rows/since.ts'
import { allTurns } from './all-turns.ts'
import { shownSpan, wholeTime } from './time.ts'
import { failedSince, hasFailed } from './turn-reason.ts'

const OPTIONS = { by: { type: 'string' }, since: { type: 'string' } } as const

const COLUMNS: readonly (Column & { readonly cell: (usage: UsageView) => string })[] = [
  { title: 'DAY', most: 10, cell: ({ day = '' }) => day },
  { title: 'AGENT', most: 30, cell: ({ agent_id = '' }) => agent_id },
  { title: 'SESSION', most: 30, cell: ({ session = '' }) => visibleLine(session) },
  { title: 'TURNS', most: 10, isNumber: true, cell: ({ turns }) => String(turns) },
  { title: 'FAILED', most: 10, isNumber: true, drop: 1, cell: ({ failed }) => String(failed) },
  { title: 'IN', most: 15, isNumber: true, drop: 3, cell: ({ input_tokens }) => reported(input_tokens) },
  { title: 'OUT', most: 15, isNumber: true, drop: 2, cell: ({ output_tokens }) => reported(output_tokens) },
  { title: 'TOKENS', most: 15, isNumber: true, cell: ({ total_tokens }) => reported(total_tokens) },
  { title: 'USD', most: 12, isNumber: true, cell: ({ cost_usd }) => (cost_usd === 0 ? '-' : cost_usd.toFixed(4)) },
  { title: 'TOOK', most: 8, isNumber: true, cell: ({ duration_ms }) => shownSpan(duration_ms) },
]

const SHOWN: Readonly<Record<UsageGroup, readonly string[]>> = {
  agent: ['AGENT'],
  session: ['AGENT', 'SESSION'],
  day: ['DAY'],
}

/** `string usage`: what turns have cost, as far as agents say it. */
export async function runUsageVerb({ words, format, agent: flagged }: Invocation, config: Config): Promise<number> {
  const flags = parseFlags(words.slice(1), OPTIONS)
  const agent = namedAgent(flags.words, flagged)
  const by = group(flags.values.by)
  if (by === 'day' && agent !== null) throw usageError('Days are summed over all agents; leave out the agent')
  const { since } = flags.values
  const from = since === undefined ? undefined : parseSince(since, Date.now())
  if (from !== undefined && format !== 'json') tellDay(from, config)
  const client = await connect(config)
  const all = await client.usage({ by, ...(from === undefined ? {} : { since: from }) })
  const usage = agent === null ? all : all.filter(({ agent_id }) => agent_id === agent)
  // Nothing was found for a name that may be mistyped.
  if (usage.length === 0 && agent !== null) await checkAgent(client, agent)
  if (format !== 'json') await tellUncounted(client, agent, { since: from, config })
  console.log(format === 'json' ? JSON.stringify(usage.map(dataOf)) : shown(usage, by, { agent, since: from }, config))
  return EXIT.ok
}

function shown(usage: readonly UsageView[], by: UsageGroup, narrowed: Narrowed, config: Config): string {
  return usage.length === 0
    ? noneFound({ what: 'ended turns', verb: 'usage', first: 'No turns have ended yet' }, narrowed)
    : usageTable(usage, by, lookOf(process.stdout, config))
}

/** A turn is counted once, when it is over, by its state; what its runs used is in the sums before. */
async function tellUncounted(
  client: StringClient,
  agent: string | null,
  { since, config }: { since: Date | undefined; config: Config },
): Promise<void> {
  const texts = [await openTurns(client, agent), await triedTurns(client, agent, since)].filter((text) => text !== null)
  const { color } = lookOf(process.stderr, config)
  for (const text of texts) process.stderr.write(`${dim(prose(text, process.stderr), color)}\n`)
}

/** Of those that have gone on from a failed try nobody would know by the sums. */
async function triedTurns(client: StringClient, agent: string | null, since: Date | undefined): Promise<string | null> {
  const whose = { agent: agent ?? undefined, since, again: true, limit: LIMITS.listedTurnsMax }
  let tried = 0
  for await (const turn of allTurns(client, whose)) if (!hasFailed(turn) && failedSince(turn, since)) tried += 1
  if (tried === 0) return null
  const what = inOwnName('not FAILED by its state; string logs --failed shows each try')
  return `${count(tried, 'turn')} with a failed try, ${what}`
}

async function openTurns(client: StringClient, agent: string | null): Promise<string | null> {
  const agents = (await client.agents.list()).filter(({ id }) => agent === null || id === agent)
  const open = agents.reduce((sum, { running, waiting }) => sum + running + waiting, 0)
  if (open === 0) return null
  return `${count(open, 'turn')} not over yet, counted when over; what the runs so far used is in the sums`
}

/** Whoever asks for an hour gets its day, and is told. */
function tellDay(from: Date, config: Config): void {
  if (from.getHours() + from.getMinutes() + from.getSeconds() === 0) return
  const day = wholeTime(from.toISOString()).slice(0, 'yyyy-mm-dd'.length)
  const text = prose(`usage is summed by the day: all of ${day} is in it`, process.stderr)
  process.stderr.write(`${dim(text, lookOf(process.stderr, config).color)}\n`)
}

/** Nothing at all is what no agent uses: it was not told. */
function told(amount: number): number | null {
  return amount === 0 ? null : amount
}

function reported(amount: number): string {
  return String(told(amount) ?? '-')
}

function dataOf({ input_tokens, output_tokens, total_tokens, cost_usd, ...usage }: UsageView): object {
  const { duration_ms, ...counted } = usage
  return {
    ...counted,
    input_tokens: told(input_tokens),
    output_tokens: told(output_tokens),
    total_tokens: told(total_tokens),
    // Sums of floating point have digits that nobody has paid.
    cost_usd: told(Number(cost_usd.toFixed(9))),
    duration_ms,
  }
}

function group(written: string | undefined): UsageGroup {
  return written === undefined ? 'agent' : oneOf('by', written, USAGE_GROUPS)
}

function usageTable(usage: readonly UsageView[], by: UsageGroup, { color, width }: StreamLook): string {
  const names = ['DAY', 'AGENT', 'SESSION'].filter((title) => !SHOWN[by].includes(title))
  const columns = COLUMNS.filter(({ title }) => !names.includes(title))
  const rows = usage.map((each) => columns.map(({ cell }) => cell(each)))
  const total = usage.length < 2 ? [] : [columns.map(({ cell }, at) => (at === 0 ? 'all' : cell(sum(usage))))]
  const table = layTable(columns, [...rows, ...total], { width })
  return [dim(table.head, color), ...rows.map(table.line), ...total.map(table.line)].join('\n')
}

function sum(usage: readonly UsageView[]): UsageView {
  return usage.reduce((all, each) => ({
    turns: all.turns + each.turns,
    failed: all.failed + each.failed,
    input_tokens: all.input_tokens + each.input_tokens,
    output_tokens: all.output_tokens + each.output_tokens,
    total_tokens: all.total_tokens + each.total_tokens,
    cost_usd: all.cost_usd + each.cost_usd,
    duration_ms: all.duration_ms + each.duration_ms,
  }))
}
