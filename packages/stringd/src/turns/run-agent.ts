import type { AgentProcessView, PermissionRequest, Profile, runTurn, TurnRequest, TurnResult } from '@string-os/bridge'
import {
  type ApprovalAnswer,
  decodeChanFlow,
  escapeTags,
  LIMITS,
  type Masker,
  stripEnd,
  type TurnResultView,
  type TurnStepDetail,
  type TurnUsage,
  truncate,
  withIgnored,
} from '@string-os/protocol'
import { permissionQuestion } from '../approvals/permission-question.ts'
import type { RunText } from '../chanflow/run-text.ts'
import type { Agent } from '../store/agents.ts'
import type { CancelReason } from './cancelled.ts'
import { Partials } from './partials.ts'
import { PRIMER } from './primer.ts'
import { answerRoom, fittingReplies } from './reply-room.ts'
import { summedUsage } from './usage.ts'

/** One turn: what the agent is given, and who hears of it. */
export interface AgentRun {
  readonly agent: Agent
  readonly profile: Profile
  readonly request: TurnRequest
  /** No turn of the session has succeeded, and the agent has said nothing of it. */
  readonly isNew: boolean
  readonly hops: number
  /** Its home was gone, and is empty now. */
  readonly isHomeAnew: boolean
  readonly environment: Readonly<Record<string, string>>
  readonly howToSet: (variable: string) => string
  readonly extraEnv: Readonly<Record<string, string>>
  /** The mark of all that the turn starts. */
  readonly owner: string
  /** Its reason says what is to become of the turn. */
  readonly signal: AbortSignal
  readonly onPartial: (text: string) => void
  readonly onStep: (step: TurnStepDetail) => void
  /** One of its processes runs; after its end comes `onStderr`. */
  readonly onProcess: (process: AgentProcessView) => void
  readonly onStderr: (end: string) => void
  /** Asks a person what an agent may not decide by itself; the signal says that nobody waits any more. */
  readonly ask: (question: ReturnType<typeof permissionQuestion>, over: AbortSignal) => Promise<ApprovalAnswer>
}

export interface AgentEnd {
  readonly result: TurnResultView
  readonly stderr: string
  readonly usage: TurnUsage
}

/** Why a turn was ended from outside. */
export type EndReason = CancelReason | 'stop' | 'timeout' | 'lost'

/** Runs an agent until it has answered: its process, then what it wrote in blocks, then its process again with the replies. */
export async function runAgent(run: AgentRun, runText: RunText): Promise<AgentEnd> {
  const bridge = await import('@string-os/bridge')
  const { profile, environment } = run
  const secrets = bridge.secretsOf(profile, environment)
  const loop = new Loop(run, runText, secrets, bridge.runTurn)
  if (run.isHomeAnew) loop.warned(`Its home ${run.agent.home} was gone, and was made anew: it is empty`)
  const { last, text, code } = await loop.run()
  const budget = new bridge.TextBudget(profile.maxReplyChars, profile.truncationSuffix)
  const reply = last.ok && code === null ? (budget.take(hidden(text, last, profile, secrets)) ?? '') : ''
  const error = code === 'MAX_STEPS' ? maxSteps(profile, loop.inVain) : last.error
  const timedOut = code === 'TIMEOUT'
  const isSilent = last.ok && code === null && !loop.hasSpoken
  if (isSilent) loop.warned(saidNothing(last.stderr))
  return {
    result: {
      ok: last.ok && code === null,
      reply,
      error: error === null ? null : secrets.mask(timedOut && !last.timed_out ? tookTooLong(profile) : error),
      code: code ?? codeOf(last),
      session_id: last.session_id,
      exit_code: exitCodeOf(last, code),
      timed_out: timedOut || last.timed_out,
      truncated: last.truncated || budget.isCut,
      duration_ms: loop.duration(),
      ...(isSilent ? { silent: true } : {}),
      ...(loop.warnings.size === 0 ? {} : { warnings: [...loop.warnings] }),
    },
    stderr: last.stderr,
    usage: loop.usage(),
  }
}

interface LoopEnd {
  readonly last: TurnResult
  /** What is left for the person. */
  readonly text: string
  readonly code: string | null
}

type RunTurn = typeof runTurn

class Loop {
  readonly #run: AgentRun
  readonly #runText: RunText
  readonly #secrets: Masker
  readonly #runTurn: RunTurn
  readonly #started = performance.now()
  readonly #said: TurnResult[] = []
  /** Each is told once, however many steps there were. */
  readonly warnings = new Set<string>()
  /** In how many steps up to the last all blocks failed, and how. */
  inVain: InVain = { steps: 0, code: null }
  /** Whether it said a word, in any of its steps. */
  hasSpoken = false
  /** How long people took to decide. */
  #waitedMs = 0

  constructor(run: AgentRun, runText: RunText, secrets: Masker, runTurn: RunTurn) {
    this.#run = run
    this.#runText = runText
    this.#secrets = secrets
    this.#runTurn = runTurn
  }

  duration(): number {
    return Math.round(performance.now() - this.#started - this.#waitedMs)
  }

  usage(): TurnUsage {
    return summedUsage(
      this.#said.map(({ usage }) => usage),
      this.duration(),
    )
  }

  async run(): Promise<LoopEnd> {
    const { profile, request, isNew } = this.#run
    const first = firstRequest(profile, request, isNew)
    let next = first
    for (let index = 1; ; index += 1) {
      const { last, text, reply } = await this.#speak(next)
      const code = this.#endCode(last)
      if (!profile.chanflow && last.ok && [text, reply].some(showsBlocks)) this.warned(NOT_RUN)
      if (code !== null || !last.ok || !profile.chanflow || !hasBlocks(text)) return { last, text: reply, code }
      if (index > profile.maxSteps) return { last, text: '', code: 'MAX_STEPS' }
      const answer = await this.#step(index, text)
      const ended = this.#endCode(null)
      if (ended !== null) return { last: { ...last, ok: false, error: endSentence(ended) }, text: '', code: ended }
      next = { ...first, sessionId: last.session_id, message: answer, attachments: [] }
    }
  }

  /** One run of the process. `text` is what it said, `reply` what of that was not forwarded already. */
  async #speak(request: TurnRequest): Promise<{ last: TurnResult; text: string; reply: string }> {
    const { profile, environment, howToSet, extraEnv, owner, signal, onProcess, onStderr, agent } = this.#run
    const partials = new Partials(profile.chanflow, this.#secrets, profile.streaming ? this.#run.onPartial : null)
    const last = await this.#runTurn(profile.chanflow ? whole(profile) : profile, request, {
      cwd: agent.home,
      environment,
      howToSet,
      extraEnv,
      owner,
      signal,
      onProcess,
      onPartial: (text) => partials.push(text),
      onWarning: (text) => this.warned(text),
      ...(profile.permissionPolicy === 'ask'
        ? { onPermission: (asked, over) => this.#ask(asked, over), permissionPauses: true }
        : {}),
    })
    partials.end()
    this.#keepUnsaid(last, partials.areForwarded ? '\n\n' : '')
    onStderr(last.stderr)
    this.#said.push(last)
    this.hasSpoken ||= [last.said, last.reply, partials.text].some((text) => text.trim() !== '')
    if (last.said.trim() === '') {
      const unheard = partials.areForwarded ? '' : partials.text
      return { last, text: partials.text, reply: profile.chanflow ? unheard : last.reply }
    }
    const isForwarded = profile.wire !== '0.1' && partials.areForwarded
    return { last, text: last.said, reply: isForwarded ? '' : last.said }
  }

  /** What an agent printed that was cut off is no answer, and not lost either. An error of its own takes the place of it. */
  #keepUnsaid({ ok, agent_error, body }: TurnResult, gap: string): void {
    if (ok || agent_error || body.trim() === '') return
    const { profile, onPartial } = this.#run
    const rest = new Partials(profile.chanflow, this.#secrets, onPartial)
    rest.push(`${gap}${body}`)
    rest.end()
  }

  warned(text: string): void {
    if (this.warnings.size <= LIMITS.agentWarnings) this.warnings.add(this.#secrets.mask(text))
  }

  async #ask(asked: PermissionRequest, over: AbortSignal): Promise<ApprovalAnswer> {
    const began = performance.now()
    try {
      return await this.#run.ask(permissionQuestion(asked, this.#secrets), over)
    } finally {
      this.#waitedMs += performance.now() - began
    }
  }

  async #step(index: number, text: string): Promise<string> {
    const { agent, hops, signal, onStep } = this.#run
    const started = performance.now()
    const written = writtenBlocks(text, this.#secrets)
    const { text: replies, blocks } = await this.#runText({
      agent,
      text,
      cwd: agent.home,
      hops,
      cancelOnLeave: true,
      watchCaller: (gone) => {
        signal.addEventListener('abort', gone, { once: true })
        if (signal.aborted) gone()
        return () => signal.removeEventListener('abort', gone)
      },
      ...answerRoom(this.#run.profile, written.length),
    })
    const code = blocks[0]?.code ?? null
    const isInVain = code !== null && blocks.every((block) => !block.ok && block.code === code)
    this.inVain = { code, steps: isInVain ? (code === this.inVain.code ? this.inVain.steps : 0) + 1 : 0 }
    onStep({
      index,
      text: truncate(this.#secrets.mask(text), LIMITS.turnStepChars),
      blocks: blocks.map((block, at) => ({ ...block, cmd: written[at] ?? '' })),
      replies: truncate(this.#secrets.mask(replies), LIMITS.turnStepChars),
      duration_ms: Math.round(performance.now() - started),
    })
    return fittingReplies(this.#run.profile, replies)
  }

  /** Why it was ended from outside; null when it was not. */
  #endCode(last: TurnResult | null): string | null {
    const { signal } = this.#run
    if (last?.timed_out === true) return 'TIMEOUT'
    if (!signal.aborted) return null
    // What had come to its end has come to its end.
    if (last !== null && !last.cancelled) return null
    return signal.reason === 'timeout' ? 'TIMEOUT' : 'CANCELLED'
  }
}

/** What an agent is given first of a turn, and in a new session before all else. */
export function firstRequest({ chanflow, primer }: Profile, request: TurnRequest, isNew: boolean): TurnRequest {
  if (!chanflow) return request
  const safe = escaped(request)
  return primer && isNew ? { ...safe, message: `${PRIMER}\n\n${safe.message}` } : safe
}

/** What others wrote can be quoted without becoming a command. */
function escaped({ message, fromUser, attachments, ...rest }: TurnRequest): TurnRequest {
  return {
    ...rest,
    message: escapeTags(message),
    fromUser: escapeTags(fromUser),
    attachments: attachments.map((each) => ({ ...each, name: each.name === null ? null : escapeTags(each.name) })),
  }
}

/** A text without a tag is not read for that. */
function showsBlocks(text: string): boolean {
  return text.includes('<𝒞=') && hasBlocks(text)
}

/** Its program ended well, so it is no failure; whoever waits for an answer wants to know why there is none. */
function saidNothing(stderr: string): string {
  const end = stripEnd(stderr, ' \t\r\n').split('\n').at(-1)?.trim() ?? ''
  if (end === '') return 'The agent said nothing, on its standard error neither'
  return `The agent said nothing; its standard error ends: ${truncate(end, LIMITS.turnTryChars)}`
}

const NOT_RUN = 'It wrote blocks, and they were not run: that takes `chanflow: true` in its profile'

function hasBlocks(text: string): boolean {
  return withIgnored(decodeChanFlow(text)).some(({ type }) => type !== 'text')
}

/** The first line of each block, without secrets. */
function writtenBlocks(text: string, secrets: Masker): string[] {
  return withIgnored(decodeChanFlow(text)).flatMap((item) => {
    if (item.type === 'text') return []
    const written = item.type === 'block' ? item.payload : item.type === 'ignored' ? item.tag : item.text
    const [line = ''] = written.trimStart().split('\n', 1)
    return [truncate(secrets.mask(line), LIMITS.turnPreviewChars)]
  })
}

/** A step is not an answer: all of it is read, and it is cut only where memory ends. */
function whole(profile: Profile): Profile {
  return { ...profile, streaming: true, maxReplyChars: LIMITS.turnStepBytes, truncationSuffix: '' }
}

/** Without secrets; of one that a cut went through, nothing is left either. */
function hidden(text: string, { truncated }: TurnResult, profile: Profile, secrets: Masker): string {
  const { chanflow, truncationSuffix: suffix } = profile
  if (chanflow || !truncated || !text.endsWith(suffix)) return secrets.mask(text)
  return secrets.mask(text.slice(0, text.length - suffix.length), { atEnd: true }) + suffix
}

/** What ends badly is no success, whatever the process said of itself. */
function exitCodeOf({ exit_code }: TurnResult, code: string | null): number {
  if (code === 'TIMEOUT') return 124
  return code !== null && exit_code === 0 ? 1 : exit_code
}

function codeOf({ ok, agent_error, exit_code }: TurnResult): string | null {
  if (ok) return null
  return agent_error ? 'AGENT_ERROR' : `EXIT_${exit_code}`
}

function endSentence(code: string): string {
  return code === 'TIMEOUT' ? 'The turn took too long and was stopped.' : 'The turn was cancelled.'
}

function tookTooLong({ turnTimeoutMs }: Profile): string {
  return `The turn took longer than ${turnTimeoutMs / 1000} s and was stopped. Ask for less, or raise turn_timeout_secs in its profile.`
}

interface InVain {
  readonly steps: number
  readonly code: string | null
}

/** So often it is no slip that the next step mends. */
const STEPS_IN_VAIN = 3

function maxSteps({ maxSteps: most }: Profile, { steps, code }: InVain): string {
  if (steps >= STEPS_IN_VAIN)
    return `The agent wanted to go on after ${most} steps. In its last ${steps} every block failed with ${code}, and it repeated that: what it was answered stands below each step of the turn.`
  return `The agent wanted to go on after ${most} steps; its last blocks were not run. Ask it to go on, or raise max_steps in its profile.`
}
