import type { StringClient } from '@string-os/client'
import { LIMITS, TURN_STATES, type TurnState, type TurnSummary } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { checkAgent } from '../agent/known-agent.ts'
import { namedAgent } from '../agent/named-agent.ts'
import type { Invocation } from '../arguments.ts'
import { connect, connectPatiently, untilInterrupted } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { atLeastOne, FOLLOW, oneOf, parseFlags } from '../flags.ts'
import { noneFound, tellSetAside } from '../none-found.ts'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { lookOf } from '../terminal/look.ts'
import { parseSince } from '../verb-rows/since.ts'
import { allTurns, newestTurns } from './all-turns.ts'
import { failedSince, hasFailed, lastTry, MAY_HAVE_FAILED, turnReason, turnReasons, whyItEnded } from './turn-reason.ts'
import { layTurns } from './turn-table.ts'

const OPTIONS = {
  failed: { type: 'boolean' },
  state: { type: 'string' },
  follow: FOLLOW,
  since: { type: 'string' },
  session: { type: 'string' },
  limit: { type: 'number' },
} as const

/** What is done with one turn, for which `turns` may be a slip. */
const TURN_VERBS: readonly string[] = ['show', 'retry', 'cancel']

interface Asked {
  readonly agent: string | undefined
  readonly session: string | undefined
  readonly since: Date | undefined
  readonly failed: boolean
  readonly state: TurnState | undefined
  readonly limit: number
}

/** `string turns`: what agents did, the newest last; with `--follow` also what they do from now on, until Ctrl-C. */
export async function runTurnsVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const { failed, session, limit = LIMITS.listedTurns, since, state } = values
  if (TURN_VERBS.includes(words[0] ?? '') && words[1] !== undefined)
    throw usageError(`Of one turn: string turn ${words.map(shellWord).join(' ')}`)
  if (failed && state !== undefined) throw usageError('Either --failed or --state')
  const asked: Asked = {
    failed,
    session,
    state: state === undefined ? undefined : oneOf('state', state, TURN_STATES),
    limit: atLeastOne('limit', limit),
    agent: namedAgent(words, invocation.agent) ?? undefined,
    since: since === undefined ? undefined : parseSince(since, Date.now()),
  }
  const isJson = invocation.format === 'json'
  if (values.follow) return follow(config, asked, isJson)
  const client = await connect(config)
  const turns = await list(client, asked)
  // Nothing was found for a name that may be mistyped.
  if (turns.length === 0 && asked.agent !== undefined) await checkAgent(client, asked.agent)
  if (turns.length === 0) tellSetAside(config, 'state.db')
  if (isJson) console.log(JSON.stringify(await withReasons(client, turns)))
  else if (turns.length === 0) console.log(noTurns(asked))
  else await tell(client, turns, asked, config)
  return EXIT.ok
}

async function tell(
  client: StringClient,
  turns: readonly TurnSummary[],
  { agent, limit }: Asked,
  config: Config,
): Promise<void> {
  const look = lookOf(process.stdout, config)
  const { head, line } = layTurns(turns, { isOfOneAgent: agent !== undefined, look })
  const reasons = await turnReasons(client, turns)
  const lines = turns.map((turn) => line(turn, reasons.get(turn.turn_id) ?? null))
  console.log([head, ...lines.reverse()].join('\n'))
  if (!process.stderr.isTTY) return
  const { color } = lookOf(process.stderr, config)
  if (reasons.size > 0) process.stderr.write(`${dim(inOwnName('string turn show ID tells all of one'), color)}\n`)
  if (turns.length === limit) process.stderr.write(`${dim(`the latest ${limit}; --limit N shows more`, color)}\n`)
}

/** For programs what the table tells people; null of those that did not fail, and were not cancelled. */
async function withReasons(client: StringClient, turns: readonly TurnSummary[]): Promise<object[]> {
  const reasons = await turnReasons(client, turns.filter(hasFailed))
  return turns.map((turn) => ({ ...turn, reason: reasons.get(turn.turn_id) ?? whyItEnded(turn) }))
}

async function follow(config: Config, asked: Asked, isJson: boolean): Promise<number> {
  const signal = untilInterrupted()
  const client = await connectPatiently(config, signal)
  if (client === null) return EXIT.ok
  if (asked.agent !== undefined) await checkAgent(client, asked.agent)
  // Also those that are not asked for are known, or they would come as new ones.
  const newest = await newestTurns(client, asked.agent)
  const shown = await list(client, asked)
  const look = lookOf(process.stdout, config)
  const table = layTurns(shown, { isOfOneAgent: asked.agent !== undefined, isOpen: true, look })
  const print = async (turn: TurnSummary): Promise<void> => {
    const reason = hasFailed(turn) ? await turnReason(client, turn) : whyItEnded(turn)
    console.log(isJson ? JSON.stringify({ ...turn, reason }) : table.line(turn, reason ?? lastTry(turn)))
  }
  if (!isJson) console.log(table.head)
  for (const turn of [...shown].reverse()) await print(turn)
  for await (const turn of client.turns.watch({ agent: asked.agent, signal, known: [...shown, ...newest] })) {
    if (isAsked(turn, asked)) await print(turn)
  }
  return EXIT.ok
}

/** Newest first, as many as were asked for. */
async function list(
  client: StringClient,
  { agent, session, since, failed, state, limit }: Asked,
): Promise<TurnSummary[]> {
  const whose = { agent, session, since, limit }
  const isWanted = (turn: TurnSummary): boolean => !failed || failedSince(turn, since)
  const wanted = failed ? [{ again: true }, ...MAY_HAVE_FAILED.map((each) => ({ state: each }))] : [{ state }]
  const lists = await Promise.all(
    wanted.map(async (which) => {
      const found: TurnSummary[] = []
      for await (const turn of allTurns(client, { ...whose, ...which }, isWanted)) found.push(turn)
      return found
    }),
  )
  const all = new Map(lists.flat().map((turn) => [turn.turn_id, turn]))
  return [...all.values()].sort((one, other) => (one.turn_id < other.turn_id ? 1 : -1)).slice(0, limit)
}

function isAsked(turn: TurnSummary, asked: Asked): boolean {
  const isOfState = (asked.state ?? turn.state) === turn.state
  return (
    isOfState && (asked.session ?? turn.session) === turn.session && (!asked.failed || failedSince(turn, asked.since))
  )
}

const NO_TURNS = 'No turns yet; string agent add ID --profile FILE makes an agent that takes them'

function noTurns({ agent, session, since, failed, state }: Asked): string {
  const asked = { agent, session, since, state: failed ? 'failed' : state }
  const none = noneFound({ what: 'turns', verb: 'turns', first: NO_TURNS }, asked)
  if (!failed) return none
  // A message that was refused has become no turn.
  const logs = ['string logs', ...(agent === undefined ? [] : [agent]), '--failed'].join(' ')
  return `${none}, ${inOwnName(logs)} what was refused, too`
}
