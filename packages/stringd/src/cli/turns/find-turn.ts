import { HttpError, type StringClient, type TurnSummary, type TurnView } from '@string-os/client'
import { LIMITS, listNames, quoted, truncate, visibleLine } from '@string-os/protocol'
import { CliError, EXIT, noSuchThing } from '../exit.ts'
import { allTurns } from './all-turns.ts'
import { isMeantBy } from './short-id.ts'

const WHOLE = /^trn_[0-9a-z]{26}$/

/** The turn that a person means by its id, or by a part of it that no other of the latest turns has. */
export async function findTurn(client: StringClient, written: string): Promise<TurnView> {
  try {
    return await client.turns.get(WHOLE.test(written) ? written : await wholeId(client, written.toLowerCase()))
  } catch (error) {
    throw error instanceof HttpError && error.status === 404 ? noTurn(written) : error
  }
}

async function wholeId(client: StringClient, part: string): Promise<string> {
  const found: TurnSummary[] = []
  for await (const turn of allTurns(client, { limit: LIMITS.turnsSearched }))
    if (isMeantBy(turn.turn_id, part)) found.push(turn)
  const [turn, other] = found
  if (turn === undefined) throw noTurn(part)
  if (other === undefined) return turn.turn_id
  const names = found.map(({ turn_id, message }) => `${turn_id} (${visibleLine(truncate(message, 30))})`)
  const reason = `${quoted(part)} may be more than one turn: ${listNames(names)}; write more of the ID`
  throw new CliError(EXIT.commandError, reason)
}

function noTurn(written: string): CliError {
  return noSuchThing(`There is no turn ${quoted(written)}; string turns shows the latest`)
}
