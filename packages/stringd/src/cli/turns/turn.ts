import type { StringClient } from '@string-os/client'
import { quoted, shortId, type TurnSummary } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { profileFile } from '../agent/agent-state.ts'
import { knownActivity } from '../agent/known-agent.ts'
import { limitNow } from '../agent/standing.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { FOLLOW, parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'
import { lookOf } from '../terminal/look.ts'
import { findTurn } from './find-turn.ts'
import { missingVariables } from './missing-variables.ts'
import { turnPage } from './turn-page.ts'
import { hasFailed, isRetried, retriedText, turnReason, whyItEnded } from './turn-reason.ts'

interface Answer {
  readonly text: string
  readonly json: object
  /** Of one that runs again: what goes on from here. */
  readonly awaited?: TurnSummary
}

interface Manner {
  readonly color: boolean
  readonly config: Config
  /** Also one that succeeded. */
  readonly again: boolean
}

type TurnVerb = (client: StringClient, written: string, manner: Manner) => Promise<Answer>

const VERBS: ReadonlyMap<string, TurnVerb> = new Map([
  ['show', show],
  ['retry', retry],
  ['cancel', cancel],
  ['stop', cancel],
  ['kill', cancel],
  ['abort', cancel],
])

/** `string turn show|retry|cancel ID`; an ID alone is shown. */
export async function runTurnVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const { values, words: typed } = parseFlags(words.slice(1), { again: { type: 'boolean' }, follow: FOLLOW })
  const isAlone = typed.length === 1 && !VERBS.has(typed[0] ?? '')
  const [verb = '', id, extra] = isAlone ? ['show', ...typed] : typed
  const run = VERBS.get(verb)
  for (const flag of ['again', 'follow'] as const)
    if (values[flag] && verb !== 'retry') throw usageError(`--${flag} is for string turn retry`)
  if (run === undefined && verb !== '')
    throw usageError(`There is no 'string turn ${quoted(verb)}'. ${meant(verb, id)}`)
  if (run === undefined || id === undefined || id.trim() === '')
    throw usageError('Which turn? Give its ID, or the end of it; string turns lists them')
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  const isJson = format === 'json'
  const { text, json, awaited } = await run(await connect(config), id, {
    color: lookOf(process.stdout, config).color,
    config,
    again: values.again,
  })
  if (values.follow && awaited !== undefined) {
    if (!isJson) process.stderr.write(`${text}\n`)
    return (await import('../chat/awaited-turn.ts')).awaitTurn(awaited, isJson, config)
  }
  console.log(isJson ? JSON.stringify(json) : text)
  return EXIT.ok
}

/** What may be done stands before the turn. */
function meant(written: string, next = ''): string {
  return VERBS.has(next)
    ? `Did you mean 'string turn ${next} ${quoted(written)}'?`
    : `It is one of: show, retry, cancel${next === '' ? '' : '; an ID alone is shown, one at a time'}`
}

async function show(client: StringClient, written: string, { color, config }: Manner): Promise<Answer> {
  const turn = await findTurn(client, written)
  const profile = await profileNow(client, turn.agent_id)
  const reason = hasFailed(turn) ? await turnReason(client, turn) : whyItEnded(turn)
  const missing = profile === null ? null : await missingVariables(turn, profile, config)
  return { text: turnPage(turn, Date.now(), { color, profile, missing }), json: { ...turn, reason } }
}

/** The file by which its agent is run now; null where it has none, or is gone. */
async function profileNow(client: StringClient, agentId: string): Promise<string | null> {
  const [agent] = await knownActivity(client, agentId)
  return agent === undefined ? null : profileFile(agent)
}

async function retry(client: StringClient, written: string, { again }: Manner): Promise<Answer> {
  const before = await findTurn(client, written)
  const { turn_id: id, state } = before
  const vain = nothingToMend(before)
  if (vain !== null && !again) {
    const next = `string turn retry ${shortId(id)} --again runs it once more`
    throw new CliError(EXIT.usage, inOwnName(`Turn ${shortId(id)} ${vain}; ${next}`))
  }
  const turn = await client.turns.retry(id)
  const [shown, next] = [shortId(id), shortId(turn.turn_id)]
  const said =
    turn.turn_id === id ? `${shown} ${await howItGoesOn(client, turn, state)}` : `${shown} runs again as ${next}`
  return { text: inOwnName(`${said}; string turn show ${next} tells how it goes`), json: turn, awaited: turn }
}

/** Why a retry would do everything once more that has been done, or is being done; null: it would not. */
function nothingToMend(turn: TurnSummary): string | null {
  if (turn.state === 'done') return `has succeeded${NO_NEED}`
  const { retried_by: retry } = turn
  if (retry === undefined || !isRetried(turn)) return null
  const then =
    retry.state === 'done'
      ? NO_NEED
      : `, which is not over: string turn show ${shortId(retry.turn_id)} tells how it goes`
  return `was ${retriedText(turn)}${then}`
}

const NO_NEED = ', so there is nothing to mend'

/** What retrying does to a turn that goes on under its own id. */
async function howItGoesOn(client: StringClient, turn: TurnSummary, before: TurnSummary['state']): Promise<string> {
  if (before === 'running' || before === 'waiting') return 'runs already'
  if (turn.event_id === null) return 'waits for its place in the session'
  const [agent] = await knownActivity(client, turn.agent_id)
  const limited = agent === undefined ? null : limitNow(agent)
  if (limited !== null) return `waits until ${limited.until}: ${limited.what}`
  if (agent?.paused !== true) return 'runs again'
  return `waits while its agent is paused (string agent resume ${turn.agent_id})`
}

async function cancel(client: StringClient, written: string): Promise<Answer> {
  const before = await findTurn(client, written)
  const turn = await client.turns.cancel(before.turn_id)
  const isOver = before.ended_at !== null || turn.state !== 'cancelled'
  const id = shortId(turn.turn_id)
  const said = isOver ? `${id} is over: ${turn.state}` : `Cancelled ${id}`
  return { text: said, json: turn }
}
