import type { StringClient } from '@string-os/client'
import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'
import { findTurn } from './find-turn.ts'
import { turnPage } from './turn-page.ts'

interface Answer {
  readonly text: string
  readonly json: object
}

type TurnVerb = (client: StringClient, written: string, color: boolean) => Promise<Answer>

const VERBS: ReadonlyMap<string, TurnVerb> = new Map([
  ['show', show],
  ['retry', retry],
  ['cancel', cancel],
])

const USAGE = 'Usage: string turn show | retry | cancel ID (string turns lists them)'

/** `string turn show|retry|cancel ID` */
export async function runTurnVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const [verb = '', id, extra] = parseFlags(words.slice(1), {}).words
  const run = VERBS.get(verb)
  if (run === undefined) throw usageError(USAGE)
  if (id === undefined) throw usageError(`Which turn? Give its ID, or the end of it\n${USAGE}`)
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}\n${USAGE}`)
  const { text, json } = await run(await connect(config), id, config.color && process.stdout.isTTY)
  console.log(format === 'json' ? JSON.stringify(json) : text)
  return EXIT.ok
}

async function show(client: StringClient, written: string, color: boolean): Promise<Answer> {
  const turn = await findTurn(client, written)
  return { text: turnPage(turn, Date.now(), color), json: turn }
}

async function retry(client: StringClient, written: string): Promise<Answer> {
  const { turn_id: id } = await findTurn(client, written)
  const turn = await client.turns.retry(id)
  const said = turn.turn_id === id ? `${id} runs again` : `${id} runs again as ${turn.turn_id}`
  return { text: inOwnName(`${said}; string turn show ${turn.turn_id} tells how it goes`), json: turn }
}

async function cancel(client: StringClient, written: string): Promise<Answer> {
  const before = await findTurn(client, written)
  const turn = await client.turns.cancel(before.turn_id)
  const isOver = before.ended_at !== null || turn.state !== 'cancelled'
  const said = isOver ? `${turn.turn_id} is over: ${turn.state}` : `Cancelled ${turn.turn_id}`
  return { text: said, json: turn }
}
