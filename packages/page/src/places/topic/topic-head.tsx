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
  const stop = async () => notices.tell(await topics.cancel(agent, topic), 'Stopped')
  return (
    <header class="head">
      <div>
        <h1>
          <Glyph shape={view?.executing === true ? 'running' : 'idle'} />
          <a href={addressOf({ kind: 'agent', agent })}>
            <Line text={agent} />
          </a>
          <span class="sep">/</span>
          <Line text={topic} />
        </h1>
        <p class="doing">
          {view?.running == null ? (
            <Line text={view?.meta?.title ?? ''} />
          ) : (
            <>
              <em class="running">runs</em> <Line text={view.running.command} /> <Since time={view.running.since} />
            </>
          )}
        </p>
        <p class="facts">
          {view?.meta == null ? null : <Line text={view.meta.uri} />}
          {view?.screen == null ? null : <Line text={view.screen.cwd} />}
          {view?.meta?.pages === undefined ? null : (
            <span>
              page {view.meta.page} of {view.meta.pages}
            </span>
          )}
        </p>
      </div>
      <div class="acts">
        {view?.executing === true ? (
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
