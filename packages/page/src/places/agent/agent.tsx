import { DEFAULT_SESSION } from '@string-os/protocol'
import type { VNode } from 'preact'
import { agents } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Refused, Waiting } from '../../parts/empty.tsx'
import { AgentHead } from './agent-head.tsx'
import { Aside } from './aside.tsx'
import { Conversation } from './conversation.tsx'
import { OneTurn } from './one-turn.tsx'
import { useSessions } from './use-sessions.ts'

export type Shown =
  | { readonly kind: 'latest' }
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'turn'; readonly turn: string }

/** One agent: its conversations and topics, and one of them open. */
export function Agent({ agent, shown }: { agent: string; shown: Shown }): VNode {
  const detail = useLoaded(
    `agent ${agent}`,
    () => agents.get(agent),
    ({ agent_id }) => agent_id === agent,
  )
  const sessions = useSessions(agent)
  if (detail.value === null) {
    return (
      <section class="place">
        {detail.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={detail.refusal} what={`Agent ${agent}`} retry={detail.reload} />
        )}
      </section>
    )
  }
  const latest = sessions.value?.[0]?.session ?? DEFAULT_SESSION
  const session = shown.kind === 'session' ? shown.session : shown.kind === 'latest' ? latest : null
  const isReady = shown.kind !== 'latest' || sessions.value !== null || sessions.refusal !== null
  return (
    <section class="place agent">
      <AgentHead agent={detail.value} />
      <Aside
        agent={agent}
        sessions={sessions}
        session={session}
        running={detail.value.turn?.session ?? null}
        topic={null}
      />
      <div class="body">
        {!isReady ? <Waiting /> : null}
        {isReady && session !== null ? <Conversation key={session} agent={detail.value} session={session} /> : null}
        {shown.kind === 'turn' ? <OneTurn agent={agent} turnId={shown.turn} /> : null}
      </div>
    </section>
  )
}
