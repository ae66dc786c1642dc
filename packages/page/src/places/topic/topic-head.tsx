import type { SessionShown } from '@string-os/protocol'
import type { VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { useApp } from '../../app.ts'
import { topics } from '../../data/calls.ts'
import { Act } from '../../parts/act.tsx'
import { Glyph } from '../../parts/glyph.tsx'
import { Since } from '../../parts/when.tsx'
import { Line } from '../../text/visible.tsx'

interface HeadProps {
  readonly agent: string
  readonly topic: string
  readonly view: SessionShown | null
  readonly onClose: () => Promise<void>
  readonly onRun: (cmd: string) => Promise<void>
}

export function TopicHead({ agent, topic, view, onClose, onRun }: HeadProps): VNode {
  const { notices } = useApp()
  const isDocument = view !== null && view.screen === null && view.meta !== null
  const typed = view?.screen?.running ?? null
  const isRunning = view?.executing === true || typed !== null
  // What was typed into a shell runs on when its command has been answered.
  const stop = async (): Promise<unknown> =>
    view?.executing === true ? notices.tell(await topics.cancel(agent, topic), 'Stopped') : onRun('//interrupt')
  return (
    <header class="head">
      <div>
        <h1>
          <Glyph shape={isRunning ? 'running' : 'idle'} />
          <a href={addressOf({ kind: 'agent', agent })}>
            <Line text={agent} />
          </a>
          <span class="sep">/</span>
          <Line text={topic} />
        </h1>
        <p class="doing">
          <Doing view={view} />
        </p>
        <p class="facts">
          {view?.meta == null ? null : <Line text={view.meta.uri.replace(/^file:\/\//, '')} />}
          {view?.screen == null ? null : <Line text={view.screen.cwd} />}
          {view?.meta?.pages === undefined ? null : (
            <span>
              page {view.meta.page} of {view.meta.pages}
            </span>
          )}
        </p>
      </div>
      <div class="acts">
        {isRunning ? (
          <Act kind="danger" run={stop}>
            Stop
          </Act>
        ) : null}
        {isDocument ? <Act run={() => onRun('/back')}>Back</Act> : null}
        {isDocument ? <Act run={() => onRun('/refresh')}>Refresh</Act> : null}
        {view === null ? null : <Act run={onClose}>Close topic</Act>}
      </div>
    </header>
  )
}

function Doing({ view }: { view: SessionShown | null }): VNode {
  const typed = view?.screen?.running ?? null
  if (view?.running != null) {
    return (
      <>
        <em class="running">runs</em> <Line text={view.running.command} /> <Since time={view.running.since} />
      </>
    )
  }
  if (typed === null) return <Line text={view?.meta?.title ?? ''} />
  return (
    <>
      <em class="running">runs</em> <Line text={typed.command} />
    </>
  )
}
