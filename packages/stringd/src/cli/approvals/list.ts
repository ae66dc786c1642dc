import type { ApprovalView, StringClient } from '@string-os/client'
import { LIMITS } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { checkAgent } from '../agent/known-agent.ts'
import { namedAgent } from '../agent/named-agent.ts'
import type { Invocation } from '../arguments.ts'
import { connect, connectPatiently, untilInterrupted } from '../daemon/connect.ts'
import { EXIT } from '../exit.ts'
import { FOLLOW, parseFlags } from '../flags.ts'
import { lookOf } from '../terminal/look.ts'
import { approvalText } from './approval-text.ts'

const OPTIONS = { all: { type: 'boolean' }, follow: FOLLOW } as const

/** `string approvals`: what waits for a person, oldest first; with `--all` what was decided, too. */
export async function runApprovalsVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const agent = namedAgent(words, invocation.agent) ?? undefined
  const isJson = invocation.format === 'json'
  const shown = (approval: ApprovalView): string =>
    isJson ? JSON.stringify(approval) : approvalText(approval, lookOf(process.stdout, config).color)
  if (values.follow) return follow(config, agent, (each) => console.log(shown(each)))
  const client = await connect(config)
  const list = await listed(client, agent, values.all)
  // Nothing was found for a name that may be mistyped.
  if (list.length === 0 && agent !== undefined) await checkAgent(client, agent)
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
  config: Config,
  agent: string | undefined,
  print: (approval: ApprovalView) => void,
): Promise<number> {
  const signal = untilInterrupted()
  const client = await connectPatiently(config, signal)
  if (client === null) return EXIT.ok
  if (agent !== undefined) await checkAgent(client, agent)
  const states = new Map<string, string>()
  const tell = (approval: ApprovalView): void => {
    if (agent !== undefined && approval.agent_id !== agent) return
    if (states.get(approval.id) === approval.state) return
    states.set(approval.id, approval.state)
    print(approval)
  }
  for await (const news of client.watch({ signal })) {
    if (news.type === 'ready' || news.type === 'reset')
      for (const approval of await listed(client, agent, false)) tell(approval)
    if (news.type === 'change' && news.kind === 'approval' && news.deleted !== true)
      tell(await client.approvals.get(news.id))
  }
  return EXIT.ok
}
