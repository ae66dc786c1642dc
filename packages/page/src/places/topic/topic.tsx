import type { SessionShown } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { goTo } from '../../address/here.ts'
import { useApp } from '../../app.ts'
import { isPassing } from '../../data/answer.ts'
import { agents, topics } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { Line } from '../../text/visible.tsx'
import { Aside } from '../agent/aside.tsx'
import { useSessions } from '../agent/use-sessions.ts'
import { Answered } from './answered.tsx'
import { CommandLine } from './command-line.tsx'
import { Offered } from './offered.tsx'
import { quote } from './quote.ts'
import type { Ran } from './ran.ts'
import { Shows } from './shows.tsx'
import { TopicHead } from './topic-head.tsx'
import { useShortcuts } from './use-shortcuts.ts'

/** A topic of an agent: what it shows now, and a line to type into it. */
export function Topic({ agent, topic }: { agent: string; topic: string }): VNode {
  const { notices } = useApp()
  const who = useLoaded(
    `agent ${agent}`,
    () => agents.get(agent),
    ({ kind, agent_id }) => agent_id === agent && (kind === 'agent' || kind === 'turn'),
  )
  const view = useLoaded(
    `topic ${agent} ${topic}`,
    () => topics.get(agent, topic),
    ({ kind, agent_id, id }) => agent_id === agent && kind === 'topic' && id === topic,
  )
  const sessions = useSessions(agent)
  const shortcuts = useShortcuts(agent, topic, view.value)
  const [ran, setRan] = useState<Ran | null>(null)
  const run = async (cmd: string): Promise<void> => {
    setRan({ cmd, answer: null })
    const answer = await topics.exec(agent, topic, cmd)
    setRan({ cmd, answer })
    view.reload()
  }
  const close = async (): Promise<void> => {
    if (notices.tell(await topics.close(agent, topic), `${topic} is closed`)) goTo({ kind: 'agent', agent })
  }
  // A topic is made by the first command in it, an agent is not.
  if (who.refusal !== null && !isPassing(who.refusal)) return <Gone agent={agent} />
  const isNew = view.value === null && view.refusal?.status === 404
  const open = (target: string): void => void run(`/open ${quote(target)}`)
  return (
    <section class="place agent topic">
      <TopicHead agent={agent} topic={topic} view={view.value} onClose={close} onRun={run} />
      <Aside
        agent={agent}
        sessions={sessions}
        session={null}
        running={who.value?.turn?.session ?? null}
        topic={topic}
      />
      <div class="body">
        <div class="shows">
          {view.value === null && view.refusal === null ? <Waiting /> : null}
          {view.refusal !== null && !isNew ? (
            <Refused refusal={view.refusal} what={`Topic ${topic}`} retry={view.reload} />
          ) : null}
          {isNew || (view.value !== null && isBlank(view.value)) ? <Blank topic={topic} /> : null}
          {view.value === null || view.value.meta === null ? null : (
            <Offered agent={agent} topic={topic} view={view.value} shortcuts={shortcuts} onRun={run} />
          )}
          {view.value === null || isBlank(view.value) ? null : (
            <Shows view={view.value} shortcuts={shortcuts} onOpen={open} />
          )}
          {ran === null ? null : <Answered ran={ran} topic={view.value} onDone={() => setRan(null)} />}
        </div>
        <CommandLine agent={agent} topic={topic} isBusy={ran !== null && ran.answer === null} onRun={run} />
      </div>
    </section>
  )
}

function Gone({ agent }: { agent: string }): VNode {
  return (
    <section class="place">
      <h1>
        <Line text={agent} />
      </h1>
      <Empty type={`string agent add ${agent}`}>There is no such agent, so it has no topics. In a terminal:</Empty>
      <a href="#/">All agents</a>
    </section>
  )
}

const isBlank = ({ text }: SessionShown): boolean => text.trim() === ''

function Blank({ topic }: { topic: string }): VNode {
  const isShell = topic.startsWith('bash:')
  return (
    <Empty type={isShell ? 'ls -la' : '/open README.md\n/ls\n/help'}>
      {isShell ? 'Nothing ran in this shell yet. Type a command below:' : 'Nothing is open in this topic. Type below:'}
    </Empty>
  )
}
