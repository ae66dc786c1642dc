import { type ApprovalView, HttpError, type StringClient } from '@string-os/client'
import { LIMITS, listNames, meantBy, quoted } from '@string-os/protocol'
import { CliError, EXIT, noSuchThing, usageError } from '../exit.ts'
import { inOwnName } from '../program-name.ts'

const WHOLE = /^apr_[0-9a-z]{26}$/

/** The question that a person means by its id, or by a part of it that no other of those that wait, or of the latest, has. */
export async function findApproval(client: StringClient, written: string): Promise<ApprovalView> {
  if (!WHOLE.test(written)) return byPart(client, written.toLowerCase())
  try {
    return await client.approvals.get(written)
  } catch (error) {
    throw error instanceof HttpError && error.status === 404 ? unknown(written) : error
  }
}

async function byPart(client: StringClient, part: string): Promise<ApprovalView> {
  const limit = LIMITS.listedApprovalsMax
  const [waiting, latest] = [
    await client.approvals.list({ state: 'waiting', limit }),
    await client.approvals.list({ limit }),
  ]
  const all = new Map([...latest, ...waiting].map((approval) => [approval.id, approval]))
  const named = meantBy(part, [...all.values()], ({ id }) => id)
  if (named.kind === 'none') throw unknown(part)
  if (named.kind === 'one') return named.found
  if (named.kind === 'too-short') throw usageError(inOwnName(`${named.reason}; string approvals shows it`))
  const names = listNames(named.found.map(({ id }) => id))
  throw new CliError(EXIT.commandError, `${quoted(part)} may be more than one approval: ${names}; write more of the ID`)
}

function unknown(written: string): CliError {
  return noSuchThing(inOwnName(`There is no question ${quoted(written)}; string approvals shows what waits`))
}
