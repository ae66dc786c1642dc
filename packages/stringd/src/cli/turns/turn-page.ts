import {
  type ApprovalView,
  count,
  DEFAULT_AGENT,
  FAILED_STATES,
  LIMITS,
  shortId,
  stripEnd,
  type TurnStepDetail,
  type TurnUsage,
  type TurnView,
  truncate,
  uncoloured,
  visibleLine,
  visibleText,
} from '@string-os/protocol'
import { approvalLine } from '../approvals/approval-text.ts'
import { cutNote } from '../bridge/cut-note.ts'
import { inOwnName } from '../program-name.ts'
import { dim, red } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import { shownSpan, wholeTime } from './time.ts'
import { progressFacts } from './turn-progress.ts'
import { failureText, isRetried, retriedText } from './turn-reason.ts'
import { stateCell } from './turn-table.ts'

interface PageLook {
  readonly color: boolean
  /** The file by which its agent is run. */
  readonly profile: string | null
  /** What it lacked that is set for it. */
  readonly missing?: string | null
}

/** Everything about a turn that tells a person what it did and why it failed. */
export function turnPage(turn: TurnView, now: number, { color, profile, missing = null }: PageLook): string {
  const { result, message, steps, stdout = '', stderr, partial, state, approvals } = turn
  const isBad = FAILED_STATES.includes(state)
  const said = result === null || result.reply === '' ? partial : result.reply
  const parts = [
    facts(turn, now, profile)
      .map(([name, value]) => `${dim(`${name}:`, color)} ${visibleLine(value)}`)
      .join('\n'),
    section('failed before', triesText(turn), { color, paint: red }),
    section('error', fitted(result?.error ? failureText(result) : isBad ? whyWithout(turn) : ''), {
      color,
      paint: red,
    }),
    section('warnings', (result?.warnings ?? []).map(visibleLine).join('\n'), { color }),
    section('stdout so far', stdout, { color }),
    section('stderr', stderr, { color }),
    section('next', fitted(missing ?? ''), { color }),
    section('message', shortened(message), { color }),
    ...steps.map((step) => stepText(step, color)),
    ...approvals.map((approval) => approvalSection(approval, color)),
    section(saidTitle(turn), shortened(result?.silent === true ? '(no answer)' : said), { color }),
    cutText(turn, { color, profile }),
    hints(turn)
      .map((hint) => dim(hint, color))
      .join('\n'),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function facts(turn: TurnView, now: number, profile: string | null): (readonly [string, string])[] {
  const { turn_id, agent_id, session, from, source, event_id, request_id, result, usage } = turn
  const who = source === 'person' || source === from ? from : `${from} (${source})`
  const all: (readonly [string, string | null])[] = [
    ['turn', turn_id],
    ['agent', agent_id],
    ['profile', profile],
    ['session', session],
    ['from', who === '' ? null : who],
    ['state', stateText(turn)],
    ['retried', retriedText(turn)?.replace('retried ', '') ?? null],
    ['retry of', turn.retry_of ?? null],
    ...times(turn, now),
    ...(turn.progress === undefined ? [] : progressFacts(turn.progress, now)),
    ['exit code', result === null ? null : `${result.exit_code}${result.timed_out ? ' (out of time)' : ''}`],
    ['usage', usage === null ? null : usageText(usage)],
    ['session id', result?.session_id ?? null],
    ['event', event_id],
    ['request id', request_id],
  ]
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

/** Of one that is tried again, which run this is and how the last ended. */
function stateText(turn: TurnView): string {
  const { state, code, attempt, ended_at } = turn
  if (attempt === 1 || ended_at !== null) return stateCell(turn)
  const before = code === null ? '' : `; try ${attempt - 1} ended with ${code}`
  return `${state}, try ${attempt} of ${LIMITS.wakeRuns}${before}`
}

function times(
  { created_at, started_at, ended_at, next_at, state }: TurnView,
  now: number,
): (readonly [string, string | null])[] {
  const waited = started_at === null ? 0 : Date.parse(started_at) - Date.parse(created_at)
  const ran =
    started_at === null ? null : shownSpan((ended_at === null ? now : Date.parse(ended_at)) - Date.parse(started_at))
  return [
    ['asked', wholeTime(created_at)],
    [
      'started',
      started_at === null ? null : `${wholeTime(started_at)}${waited < 1_000 ? '' : `, after ${shownSpan(waited)}`}`,
    ],
    ['ended', ended_at === null ? null : `${wholeTime(ended_at)}${ran === null ? '' : `, after ${ran}`}`],
    ['runs for', ended_at === null && state !== 'queued' ? ran : null],
    ['next try', next_at === null ? null : wholeTime(next_at)],
  ]
}

function usageText({ input_tokens, output_tokens, total_tokens, cost_usd }: TurnUsage): string | null {
  const parts = [
    ...(input_tokens === undefined ? [] : [`${input_tokens} tokens in`]),
    ...(output_tokens === undefined ? [] : [`${output_tokens} out`]),
    ...(total_tokens === undefined ? [] : [`${total_tokens} in all`]),
    ...(cost_usd === undefined ? [] : [`$${cost_usd}`]),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

/** An agent may fail without a word, and a turn may end without its agent. */
function whyWithout({ state, result }: TurnView): string {
  if (state === 'interrupted') return 'It was cut off: the daemon ended while it ran.'
  return result === null ? '' : `The agent ended with exit code ${result.exit_code} and said nothing about it.`
}

function stepText({ index, text, blocks, duration_ms, replies = '' }: TurnStepDetail, color: boolean): string {
  const answers = repliesTo(blocks, replies)
  const lines = blocks.flatMap(({ ok, code, channel, topic, cmd }, at) => {
    const line = visibleLine(`${ok ? '✓' : `✗ ${code ?? ''}`} ${channel}:${topic} ${cmd}`)
    return ok ? [`  ${line}`] : [`  ${red(line, color)}`, ...answerLines(answers[at] ?? '')]
  })
  const title = `step ${index} (${count(blocks.length, 'block')}, ${shownSpan(duration_ms)})`
  return [section(title, shortened(text), { color }), ...lines].join('\n')
}

/** What each block was answered with, without its tags; none where that cannot be told apart. */
function repliesTo(blocks: readonly unknown[], replies: string): readonly string[] {
  // Tags in what a block answers are escaped, so these begin replies; those behind the blocks' own tell of what was no block.
  const all = replies.split(/\n\n(?=<𝒞=)/)
  if (all.length < blocks.length) return []
  return all.map((reply) => reply.replace(/^<𝒞=[^\n]*>\n/, '').replace(/\n<\/𝒞>\s*$/, ''))
}

/** Why a block failed stands at its end. */
const ANSWER_LINES = 12

function answerLines(answer: string): string[] {
  const lines = uncoloured(stripEnd(answer, ' \t\r\n')).split('\n')
  const shown = lines.slice(-ANSWER_LINES)
  const left = lines.length - shown.length
  const more = left === 0 ? [] : [`(${count(left, 'line')} before this; --json has all)`]
  return answer.trim() === '' ? [] : [...more, ...shown].map((line) => `      ${visibleText(line)}`)
}

/** What it asked a person, and what became of that. */
function approvalSection(approval: ApprovalView, color: boolean): string {
  return [section('question', shortened(approval.detail), { color }), `  ${approvalLine(approval, color)}`].join('\n')
}

/** A line for each run that failed before. */
function triesText({ tries = [] }: TurnView): string {
  return tries
    .map(({ ended_at, code, reason }) => visibleLine(`${wholeTime(ended_at)} ${code ?? 'failed'}: ${reason}`))
    .join('\n')
}

function saidTitle({ result }: TurnView): string {
  if (result === null) return 'said so far'
  return result.ok ? 'reply' : 'said before it ended'
}

/** Untrusted text under a title, indented, so that it cannot be taken for ours. */
function section(
  title: string,
  text: string,
  { color, paint = (shown) => shown }: { color: boolean; paint?: (text: string, color: boolean) => string },
): string {
  const shown = uncoloured(stripEnd(text.replaceAll('\r\n', '\n'), ' \t\r\n'))
  if (shown === '') return ''
  const lines = shown.split('\n').map((line) => `  ${paint(line, color)}`)
  return [dim(`${title}:`, color), ...lines].join('\n')
}

/** A sentence that is indented. */
function fitted(text: string): string {
  const { isTTY, columns } = process.stdout
  return prose(text, { isTTY, columns: columns - 2 })
}

function shortened(text: string): string {
  const most = LIMITS.shownInputChars
  return text.length <= most ? text : `${truncate(text, most)}\n(${text.length - most} more characters; --json has all)`
}

/** The text above is shortened here as well, and --json has all of what is kept. */
function cutText({ result }: TurnView, { color, profile }: PageLook): string {
  const cut = result === null ? null : cutNote(result, profile)
  return cut === null ? '' : dim(fitted(`(${visibleLine(cut)})`), color)
}

function hints(turn: TurnView): string[] {
  const { turn_id, agent_id, event_id, state, next_at, retried_by: retry } = turn
  const whose = agent_id === DEFAULT_AGENT ? '' : ` --agent ${agent_id}`
  const event = event_id === null ? [] : [`string events read ${shortId(event_id)}${whose} shows the event`]
  const retried = retry === undefined ? [] : [`string turn show ${shortId(retry.turn_id)} shows what it was retried as`]
  if (state === 'done') return [...event, ...retried].map(inOwnName)
  const id = shortId(turn_id)
  const again = isRetried(turn)
    ? `string turn retry ${id} --again runs it once more`
    : `string turn retry ${id} runs it again`
  const cancel = `string turn cancel ${id} ends it`
  if (state === 'cancelled' || FAILED_STATES.includes(state)) return [...event, ...retried, again].map(inOwnName)
  const isPausing = state === 'queued' && next_at !== null
  return [...event, ...(isPausing ? [`${again} at once`] : []), cancel].map(inOwnName)
}
