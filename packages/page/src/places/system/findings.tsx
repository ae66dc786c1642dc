import type { VNode } from 'preact'
import { system } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Act } from '../../parts/act.tsx'
import { Refused, Waiting } from '../../parts/empty.tsx'
import { Glyph, type Shape } from '../../parts/glyph.tsx'
import { shownText } from '../../text/shown.ts'
import { Line } from '../../text/visible.tsx'

const SHAPES: Readonly<Record<string, Shape>> = { ok: 'done', warn: 'warned', fail: 'failed', untried: 'idle' }
const ORDER = ['fail', 'warn', 'untried', 'ok']

/** What the daemon finds when it looks at itself, the worst first. */
export function Findings(): VNode {
  const doctor = useLoaded('doctor', system.doctor, () => false)
  const checks = doctor.value?.checks.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <>
      <header class="bar">
        <h2>Findings</h2>
        <Act run={doctor.reload}>look again</Act>
      </header>
      {checks === undefined ? (
        doctor.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={doctor.refusal} what="What it finds" retry={doctor.reload} />
        )
      ) : null}
      <ul class="rows finding-rows">
        {checks?.map(({ name, state, seen, mend }) => (
          <li key={name}>
            <div class="cells" data-row tabIndex={-1}>
              <Glyph shape={SHAPES[state] ?? 'idle'} label={state} />
              <b class="name">
                <Line text={name} />
              </b>
              <span class="wraps">
                <bdi>{shownText(seen)}</bdi>
                {mend === null ? null : (
                  <span class="mend">
                    <bdi>{shownText(mend)}</bdi>
                  </span>
                )}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
