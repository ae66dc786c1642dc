import { userInfo } from 'node:os'
import type { ApprovalAnswer } from '@string-os/client'
import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { lookOf } from '../terminal/look.ts'
import { approvalText } from './approval-text.ts'
import { findApproval } from './find-approval.ts'

const OPTIONS = { note: { type: 'string' } } as const

/** `string approve ID [--note TEXT]` */
export function runApproveVerb(invocation: Invocation, config: Config): Promise<number> {
  return decide('allow', invocation, config)
}

/** `string deny ID [--note TEXT]` */
export function runDenyVerb(invocation: Invocation, config: Config): Promise<number> {
  return decide('deny', invocation, config)
}

async function decide(answer: ApprovalAnswer, { words, format }: Invocation, config: Config): Promise<number> {
  const { values, words: rest } = parseFlags(words.slice(1), OPTIONS)
  const [written, extra] = rest
  if (written === undefined)
    throw usageError('Which one? Give its ID, or the end of it; string approvals shows what waits')
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)} (--note TEXT takes a text)`)
  const client = await connect(config)
  const { id } = await findApproval(client, written)
  const { isFirst, approval, message } = await client.approvals.answer(id, answer, { note: values.note, by: ownUser() })
  if (format === 'json') console.log(JSON.stringify(approval))
  else if (isFirst) console.log(approvalText(approval, lookOf(process.stdout, config).color))
  if (isFirst) return EXIT.ok
  throw new CliError(EXIT.commandError, message ?? `${id} is ${approval.state}`)
}

/** Who sits here. */
export function ownUser(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // A user without a name.
    return undefined
  }
}
