import type { StringClient } from '@string-os/client'
import { FAILED_STATES, LIMITS, type TurnSummary } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { checkAgent } from '../agent/known-agent.ts'
import { namedAgent } from '../agent/named-agent.ts'
import type { Invocation } from '../arguments.ts'
import { connect, connectPatiently, untilInterrupted } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { lookOf } from '../terminal/look.ts'
import { allTurns } from './all-turns.ts'
import { parseSince } from './time.ts'
import { layTurns } from './turn-table.ts'

const OPTIONS = {
  failed: { type: 'boolean' },
  follow: { type: 'boolean' },
  since: { type: 'string' },
  session: { type: 'string' },
  limit: { type: 'number' },
} as const

interface Asked {
  readonly agent: string | undefined
  readonly session: string | undefined
  readonly since: Date | undefined
  readonly failed: boolean
  readonly limit: number
}

/** `string turns`: what agents did, the newest last; with `--follow` also what they do from now on, until Ctrl-C. */
export async function runTurnsVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const { failed, session, limit = LIMITS.listedTurns, since } = values
  if (limit === 0) throw usageError('--limit needs a number from 1 on')
  const asked: Asked = {
    failed,
    session,
    limit,
    agent: namedAgent(words, invocation.agent) ?? undefined,
    since: since === undefined ? undefined : parseSince(since, Date.now()),
  }
  const isJson = invocation.format === 'json'
  if (values.follow) return follow(config, asked, isJson)
  const client = await connect(config)
  const turns = await list(client, asked)
  // Nothing was found for a name that may be mistyped.
  if (turns.length === 0 && asked.agent !== undefined) await checkAgent(client, asked.agent)
  if (isJson) console.log(JSON.stringify(turns))
  else if (turns.length === 0) console.log(noTurns(asked))
  else tell(turns, asked, config)
  return EXIT.ok
}

function tell(turns: readonly TurnSummary[], { agent, limit }: Asked, config: Config): void {
  const { head, line } = layTurns(turns, { isOfOneAgent: agent !== undefined, look: lookOf(process.stdout, config) })
  console.log([head, ...turns.map(line).reverse()].join('\n'))
  if (turns.length === limit && process.stderr.isTTY)
    process.stderr.write(`${dim(`the latest ${limit}; --limit N shows more`, lookOf(process.stderr, config).color)}\n`)
}

async function follow(config: Config, asked: Asked, isJson: boolean): Promise<number> {
  const signal = untilInterrupted()
  const client = await connectPatiently(config, signal)
  if (client === null) return EXIT.ok
  const known = await list(client, asked)
  const look = lookOf(process.stdout, config)
  const table = layTurns(known, { isOfOneAgent: asked.agent !== undefined, isOpen: true, look })
  const print = (turn: TurnSummary): void => console.log(isJson ? JSON.stringify(turn) : table.line(turn))
  if (!isJson) console.log(table.head)
  for (const turn of [...known].reverse()) print(turn)
  for await (const turn of client.turns.watch({ agent: asked.agent, signal, known })) {
    if (isAsked(turn, asked)) print(turn)
  }
  return EXIT.ok
}

/** Newest first, as many as were asked for. */
async function list(client: StringClient, { agent, session, since, failed, limit }: Asked): Promise<TurnSummary[]> {
  const states = failed ? FAILED_STATES : [undefined]
  const lists = await Promise.all(
    states.map(async (state) => {
      const found: TurnSummary[] = []
      for await (const turn of allTurns(client, { agent, session, since, state, limit })) found.push(turn)
      return found
    }),
  )
  const all = lists.flat().sort((one, other) => (one.turn_id < other.turn_id ? 1 : -1))
  return all.slice(0, limit)
}

function isAsked({ session, state }: TurnSummary, asked: Asked): boolean {
  return (asked.session ?? session) === session && (!asked.failed || FAILED_STATES.includes(state))
}

function noTurns({ agent, session, since, failed }: Asked): string {
  const isNarrow = agent !== undefined || session !== undefined || since !== undefined || failed
  return isNarrow
    ? 'No such turns'
    : inOwnName('No turns yet; string agent add ID --profile FILE makes an agent that takes them')
}
