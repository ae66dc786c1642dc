import type { ApprovalView, StringClient } from '@string-os/client'
import { LIMITS, quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect, connectPatiently } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { approvalText } from './approval-text.ts'

const OPTIONS = { all: { type: 'boolean' }, follow: { type: 'boolean' } } as const

/** `string approvals`: what waits for a person, oldest first; with `--all` what was decided, too. */
export async function runApprovalsVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const [extra] = words
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  const agent = invocation.agent ?? undefined
  const isJson = invocation.format === 'json'
  const shown = (approval: ApprovalView): string =>
    isJson ? JSON.stringify(approval) : approvalText(approval, config.color && process.stdout.isTTY)
  if (values.follow) return follow(await connectPatiently(config), agent, (each) => console.log(shown(each)))
  const list = await listed(await connect(config), agent, values.all)
  if (isJson) console.log(JSON.stringify(list))
  else console.log(list.length === 0 ? nothing(values.all) : list.map(shown).join('\n\n'))
  return EXIT.ok
}

async function listed(client: StringClient, agent: string | undefined, all: boolean): Promise<ApprovalView[]> {
  const limit = LIMITS.listedApprovalsMax
  if (!all) return client.approvals.list({ agent, state: 'waiting', limit })
  return (await client.approvals.list({ agent, limit })).reverse()
}

function nothing(all: boolean): string {
  return all ? 'Nothing was asked' : 'Nothing waits for you'
}

/** What waits, and then each question as it is asked and decided, until Ctrl-C. */
async function follow(
  client: StringClient,
  agent: string | undefined,
  print: (approval: ApprovalView) => void,
): Promise<number> {
  const over = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort())
  const states = new Map<string, string>()
  const tell = (approval: ApprovalView): void => {
    if (agent !== undefined && approval.agent_id !== agent) return
    if (states.get(approval.id) === approval.state) return
    states.set(approval.id, approval.state)
    print(approval)
  }
  for await (const news of client.watch({ signal: over.signal })) {
    if (news.type === 'ready' || news.type === 'reset')
      for (const approval of await listed(client, agent, false)) tell(approval)
    if (news.type === 'change' && news.kind === 'approval' && news.deleted !== true)
      tell(await client.approvals.get(news.id))
  }
  return EXIT.ok
}
