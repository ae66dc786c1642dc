import { type AgentSessionView, DEFAULT_SESSION, type SessionView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { goTo } from '../../address/here.ts'
import { topics } from '../../data/calls.ts'
import { type Rows, useRows } from '../../data/use-rows.ts'
import { useKeys } from '../../frame/use-keys.ts'
import { Glyph } from '../../parts/glyph.tsx'
import { When } from '../../parts/when.tsx'
import { Line } from '../../text/visible.tsx'
import { NameDialog } from './name-dialog.tsx'

/** How many come at once. */
const TOPICS = 20

interface AsideProps {
  readonly agent: string
  readonly sessions: Rows<AgentSessionView>
  /** Which of them is open. */
  readonly session: string | null
  /** Which of them has a turn that runs; it is listed once that has ended. */
  readonly running: string | null
  readonly topic: string | null
}

/** The conversations and the open topics of an agent. */
export function Aside({ agent, sessions, session, running, topic }: AsideProps): VNode {
  const open = useRows(
    `topics ${agent}`,
    {
      list: (span) => topics.list(agent, span),
      idOf: (each) => each.topic,
      concerns: ({ kind, agent_id }) => agent_id === agent && kind === 'topic',
    },
    TOPICS,
  )
  const [adding, setAdding] = useState<'session' | 'topic' | null>(null)
  useKeys([
    { keys: 's', about: 'Begin a session', run: () => setAdding('session') },
    { keys: 't', about: 'Open a topic', run: () => setAdding('topic') },
  ])
  const known = sessions.value ?? []
  const isKnown = (name: string): boolean => known.some((each) => each.session === name)
  const others = [...new Set([session ?? DEFAULT_SESSION, running ?? DEFAULT_SESSION])].filter((name) => !isKnown(name))
  const listed = [...others.map((name) => ({ session: name, used_at: null })), ...known]
  return (
    <aside class="aside">
      <div class="group">
        <h2>Sessions</h2>
        <ul>
          {listed.map(({ session: name, used_at }) => (
            <li key={name}>
              <a
                href={addressOf({ kind: 'session', agent, session: name })}
                aria-current={name === session ? 'page' : undefined}
              >
                <Line text={name} chars={60} />{' '}
                {name === running ? (
                  <Glyph shape="running" label="runs a turn" />
                ) : used_at === null ? null : (
                  <When time={used_at} />
                )}
              </a>
            </li>
          ))}
        </ul>
        {sessions.hasMore ? (
          <button type="button" class="quiet" onClick={sessions.more}>
            more
          </button>
        ) : null}
        <button type="button" class="quiet" onClick={() => setAdding('session')}>
          + session
        </button>
      </div>
      <div class="group">
        <h2>Topics</h2>
        <ul>
          {topic === null || open.value?.some((each) => each.topic === topic) !== false ? null : (
            <TopicLink agent={agent} open={{ topic, executing: false, doc: null }} topic={topic} />
          )}
          {open.value?.map((each) => (
            <TopicLink key={each.topic} agent={agent} open={each} topic={topic} />
          ))}
        </ul>
        {open.hasMore ? (
          <button type="button" class="quiet" onClick={open.more}>
            more
          </button>
        ) : null}
        <button type="button" class="quiet" onClick={() => setAdding('topic')}>
          + topic
        </button>
      </div>
      {adding === 'session' ? (
        <NameDialog
          title="Begin a session"
          name="Name of the session"
          hint="Its first message begins it."
          onName={(name) => goTo({ kind: 'session', agent, session: name })}
          onClose={() => setAdding(null)}
        />
      ) : null}
      {adding === 'topic' ? (
        <NameDialog
          title="Open a topic"
          name="Name of the topic"
          hint="notes, bash:build, app:tasks, web:docs …"
          onName={(name) => goTo({ kind: 'topic', agent, topic: name })}
          onClose={() => setAdding(null)}
        />
      ) : null}
    </aside>
  )
}

interface TopicLinkProps {
  readonly agent: string
  readonly open: Pick<SessionView, 'topic' | 'executing' | 'doc'>
  readonly topic: string | null
}

function TopicLink({ agent, open, topic }: TopicLinkProps): VNode {
  const { topic: name, executing, doc } = open
  return (
    <li>
      <a href={addressOf({ kind: 'topic', agent, topic: name })} aria-current={name === topic ? 'page' : undefined}>
        <Line text={name} chars={60} />{' '}
        {executing ? <Glyph shape="running" label="runs a command" /> : <Line text={doc?.title ?? ''} chars={40} />}
      </a>
    </li>
  )
}
