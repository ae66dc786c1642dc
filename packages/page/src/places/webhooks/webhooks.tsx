import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { useApp } from '../../app.ts'
import { webhooks } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Act } from '../../parts/act.tsx'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { useAgents, useTyped } from '../../parts/use-agents.ts'
import { Line } from '../../text/visible.tsx'

/** How many stand there before one asks for more: each is a request. */
const STEP = 20

/** Where programs post events for an agent. An address is a secret, so it is masked until somebody asks for it. */
export function Webhooks(): VNode {
  const [name, setName] = useState('')
  const named = useTyped(name)
  const agents = useAgents({ order: 'name', named }, STEP)
  return (
    <section class="place webhooks">
      <header class="bar">
        <h1>Webhooks</h1>
        <input
          type="search"
          aria-label="Part of a name"
          placeholder="name"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </header>
      {agents.value === null ? (
        agents.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={agents.refusal} what="The agents" retry={agents.reload} />
        )
      ) : null}
      {agents.value?.length === 0 && named !== '' ? <Empty>No agent is so.</Empty> : null}
      {agents.value?.length === 0 && named === '' ? (
        <Empty type="string agent add ada --profile ada.yaml">
          No agents, so nobody to post to. Type in a terminal:
        </Empty>
      ) : null}
      <ul class="rows webhook-rows">
        {agents.value?.map(({ id }) => (
          <WebhookLine key={id} agent={id} />
        ))}
      </ul>
      {agents.hasMore ? (
        <button type="button" class="more" onClick={agents.more}>
          Show more
        </button>
      ) : null}
    </section>
  )
}

function WebhookLine({ agent }: { agent: string }): VNode {
  const { notices } = useApp()
  const [address, setAddress] = useState<string | null>(null)
  const masked = useLoaded(
    `webhook ${agent}`,
    () => webhooks.peek(agent),
    ({ kind, id }) => kind === 'webhook' && id === agent,
  )
  const known = masked.value?.webhook_url ?? null
  const show = async (): Promise<void> => {
    if (address !== null) return setAddress(null)
    const answer = await webhooks.show(agent)
    if (answer.ok) setAddress(answer.value.webhook_url)
    else notices.show({ kind: 'failed', text: answer.reason })
  }
  const rotate = async (): Promise<void> => {
    const answer = await webhooks.rotate(agent)
    if (notices.tell(answer, `${agent} has a new address; the old one is refused`)) setAddress(answer.value.webhook_url)
  }
  const verb = address !== null ? 'hide' : known === null ? 'make' : 'show'
  return (
    <li>
      <div class="cells">
        <b class="name">
          <a data-row data-id={agent} href={addressOf({ kind: 'agent', agent })}>
            <Line text={agent} chars={60} />
          </a>
        </b>
        <code class="address">{address ?? known ?? <span class="hint">none yet</span>}</code>
      </div>
      <Act run={show} label={`${verb} the address of ${agent}`}>
        {verb}
      </Act>
      {known === null && address === null ? null : (
        <Act run={rotate} label={`rotate the address of ${agent}`}>
          rotate
        </Act>
      )}
    </li>
  )
}
