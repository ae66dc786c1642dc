import type { AgentActivity, TurnSummary } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useApp } from '../../app.ts'
import type { Answer } from '../../data/answer.ts'
import { turns } from '../../data/calls.ts'
import { useRows } from '../../data/use-rows.ts'
import { useKeys } from '../../frame/use-keys.ts'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { Composer } from './composer.tsx'
import { isOver } from './reply.tsx'
import { Turn } from './turn.tsx'
import { useBottom } from './use-bottom.ts'

/** How many turns are shown, and how many more come on demand. */
const TURNS = 20

/** The turns of a session as a conversation, the newest at the bottom. */
export function Conversation({ agent, session }: { agent: AgentActivity; session: string }): VNode {
  const { id } = agent
  const rows = useRows(
    `turns ${id} ${session}`,
    {
      list: (span) => turns.list({ agent: id, session, ...span }),
      idOf: ({ turn_id }) => turn_id,
      concerns: ({ kind, agent_id }) => agent_id === id && (kind === 'turn' || kind === 'approval' || kind === 'agent'),
    },
    TURNS,
  )
  const { notices } = useApp()
  const act = async (turn: TurnSummary | undefined, call: (id: string) => Promise<Answer<unknown>>, done: string) => {
    if (turn !== undefined) notices.tell(await call(turn.turn_id), done)
  }
  useKeys([
    {
      keys: '.',
      about: 'Stop the turn that runs',
      run: () =>
        void act(
          rows.value?.find(({ state }) => !isOver(state)),
          turns.cancel,
          'The turn is stopped',
        ),
    },
    {
      keys: 'r',
      about: 'Retry the last turn, where it did not succeed',
      run: () => void act(rows.value?.slice(0, 1).find(isRetried), turns.retry, 'It runs again'),
    },
  ])
  const bottom = useBottom()
  const shown = rows.value?.toReversed() ?? []
  return (
    <div class="conversation">
      <div class="turns" ref={bottom}>
        {rows.value === null && rows.refusal === null ? <Waiting /> : null}
        {rows.refusal === null ? null : <Refused refusal={rows.refusal} what="The conversation" retry={rows.reload} />}
        {rows.hasMore ? (
          <button type="button" class="more" onClick={rows.more}>
            Earlier turns
          </button>
        ) : null}
        {rows.value?.length === 0 ? (
          <Empty type={`string chat --agent ${id}${session === 'default' ? '' : ` --session ${session}`}`}>
            Nothing was said in this session. Write below, or in a terminal:
          </Empty>
        ) : null}
        {shown.map((turn) => (
          <Turn key={turn.turn_id} turn={turn} />
        ))}
      </div>
      <Composer agent={agent} session={session} onSent={rows.reload} />
    </div>
  )
}

const isRetried = ({ state }: TurnSummary): boolean => isOver(state) && state !== 'done'
