import type { TurnResult } from '@string-os/bridge'
import { stripEnd, uncoloured } from '@string-os/protocol'
import { dim, red } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import { failureText, nextStep } from '../turns/turn-reason.ts'

/** What a person is told when a turn failed: the error, and what the agent left that may explain it. */
export function failureReport(result: TurnResult & { readonly code?: string | null }, color: boolean): string {
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
  return section('stderr of the agent', stderr)
    .map((text) => `${dim(text, color)}\n`)
    .join('')
}

/** Of a turn that was cancelled nobody asks for the reason. */
function traces({ cancelled, error, stderr, body }: TurnResult): string[] {
  if (cancelled) return []
  const isInError = stderr.trim() !== '' && error?.includes(`\n${stderr.trim()}`) === true
  return [...section('stderr of the agent', isInError ? '' : stderr), ...section('printed before it failed', body)]
}

function section(title: string, text: string): string[] {
  const shown = uncoloured(stripEnd(text, ' \t\r\n').replaceAll('\r\n', '\n'))
  return shown === '' ? [] : [`${title}:\n${shown.replace(/^/gm, '  ')}`]
}
