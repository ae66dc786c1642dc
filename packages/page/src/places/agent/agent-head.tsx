import type { AgentActivity } from '@string-os/protocol'
import type { VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { useApp } from '../../app.ts'
import { agents } from '../../data/calls.ts'
import { useOverview } from '../../frame/overview.ts'
import { Act } from '../../parts/act.tsx'
import { Glyph } from '../../parts/glyph.tsx'
import { shownText } from '../../text/shown.ts'
import { Line } from '../../text/visible.tsx'
import { Doing, shapeOf } from '../agents/agent-line.tsx'

/** Who it is, what it does now, and whether events wake it. */
export function AgentHead({ agent }: { agent: AgentActivity }): VNode {
  const { notices } = useApp()
  const { id, home, profile, node, wake, problem, paused, running, waiting } = agent
  const here = useOverview().value?.node
  const stand = (verb: 'pause' | 'resume' | 'stop', done: string) => async () =>
    notices.tell(await agents.stand(id, verb), done)
  return (
    <header class="head">
      <div>
        <h1>
          <Glyph shape={shapeOf(agent)} />
          <a href={addressOf({ kind: 'agent', agent: id })}>
            <Line text={id} />
          </a>
        </h1>
        <p class="doing">
          <Doing agent={agent} />
        </p>
        <p class="facts">
          <span title="Home">
            <Line text={home} />
          </span>
          {profile === undefined ? null : (
            <span title="Profile">
              <Line text={profile} />
            </span>
          )}
          {node === undefined || node === here ? null : (
            <span>
              on <Line text={node} chars={40} />
            </span>
          )}
          {wake === null ? null : <span>woken by events</span>}
        </p>
        {problem === null ? null : (
          <p class="failed wraps">
            <bdi>{shownText(problem)}</bdi>
          </p>
        )}
      </div>
      <div class="acts">
        {running + waiting === 0 ? null : (
          <Act kind="danger" run={stand('stop', `Everything of ${id} is stopped, and it is paused`)}>
            Stop all
          </Act>
        )}
        {paused ? (
          <Act run={stand('resume', `${id} is woken by events again`)}>Resume</Act>
        ) : (
          <Act run={stand('pause', `${id} is paused: events wait`)}>Pause</Act>
        )}
      </div>
    </header>
  )
}
