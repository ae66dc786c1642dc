import { HttpError, type StringClient, type TurnSummary, type TurnView } from '@string-os/client'
import { LIMITS, meantBy, quoted, shortId, truncate, visibleLine } from '@string-os/protocol'
import { CliError, EXIT, noSuchThing, usageError } from '../exit.ts'
import { inOwnName } from '../program-name.ts'
import { allTurns } from './all-turns.ts'

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
  const latest: TurnSummary[] = []
  for await (const turn of allTurns(client, { limit: LIMITS.turnsSearched })) latest.push(turn)
  const named = meantBy(part, latest, ({ turn_id }) => turn_id)
  if (named.kind === 'none') throw noTurn(part)
  if (named.kind === 'one') return named.found.turn_id
  if (named.kind === 'too-short') throw usageError(inOwnName(`${named.reason}; string turns shows it`))
  const { found } = named
  const rows = found
    .slice(0, SHOWN)
    .map(({ turn_id, state, message }) => `  ${shortId(turn_id)}  ${state}  ${visibleLine(truncate(message, 30))}`)
  const more = found.length > SHOWN ? [`  and ${found.length - SHOWN} more`] : []
  const reason = `${quoted(part)} may be more than one turn; write more of the ID:`
  throw new CliError(EXIT.commandError, [reason, ...rows, ...more].join('\n'))
}

/** Whether a word that is the name of nothing else is the id of a turn, or its end. */
export async function isTurn(client: StringClient, written: string): Promise<boolean> {
  if (!/^[0-9a-z]{6,26}$/.test(written)) return false
  return findTurn(client, written).then(
    () => true,
    () => false,
  )
}

/** Of those that may be meant, as many as one looks at. */
const SHOWN = 5

function noTurn(written: string): CliError {
  return noSuchThing(`There is no turn ${quoted(written)}; string turns shows the latest`)
}
