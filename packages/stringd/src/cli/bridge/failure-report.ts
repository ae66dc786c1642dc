import type { TurnResult } from '@string-os/bridge'
import { shortId, stripEnd, uncoloured } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { dim, red } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import { failureText, nextStep } from '../turns/turn-reason.ts'

interface Failed extends TurnResult {
  readonly code?: string | null
  /** Of a turn in the daemon, by what all of it is found. */
  readonly turnId?: string | null
}

/** What a person is told when a turn failed: the error, and what the agent left that may explain it. */
export function failureReport(result: Failed, color: boolean): string {
  const { ok, error, code = null } = result
  if (ok) return ''
  const told = error === null ? null : failureText({ error, code })
  const sentence = told === '' ? 'The agent says that it failed, and not why.' : told
  const first = sentence === null ? [] : [red(prose(`error: ${uncoloured(sentence)}`, process.stderr), color)]
  const next = nextStep({ code })
  const after = next === null ? [] : [dim(prose(next, process.stderr), color)]
  const lines = [...first, ...after, ...traces(result).map((text) => dim(text, color))]
  return lines.map((line) => `${line}\n`).join('')
}

/** What a person is told where an agent ended well and said nothing: what it printed beside that. */
export function silenceReport({ stderr }: TurnResult, color: boolean): string {
  return section('stderr of the agent', stderr, JSON_HAS)
    .map((text) => `${dim(text, color)}\n`)
    .join('')
}

/** Of a turn that was cancelled nobody asks for the reason. */
function traces({ cancelled, error, stderr, body, turnId = null }: Failed): string[] {
  if (cancelled) return []
  const isInError = stderr.trim() !== '' && error?.includes(`\n${stderr.trim()}`) === true
  const rest = turnId === null ? JSON_HAS : inOwnName(`string turn show ${shortId(turnId)} has`)
  return [
    ...section('stderr of the agent', isInError ? '' : stderr, rest),
    ...section('printed before it failed', body, rest),
  ]
}

const JSON_HAS = '--json has'

/** Why it ended stands at its end, and the error above it is not to be scrolled away. */
const SHOWN_LINES = 20

function section(title: string, text: string, whoHas: string): string[] {
  const lines = uncoloured(stripEnd(text, ' \t\r\n').replaceAll('\r\n', '\n')).split('\n')
  if (lines.length === 1 && lines[0] === '') return []
  const more = lines.length <= SHOWN_LINES ? [] : [`(more before this; ${whoHas} what is kept of it)`]
  return [`${title}:\n${[...more, ...lines.slice(-SHOWN_LINES)].map((line) => `  ${line}`).join('\n')}`]
}
