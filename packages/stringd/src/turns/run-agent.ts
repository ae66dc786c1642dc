import type { Profile, runTurn, TurnRequest, TurnResult } from '@string-os/bridge'
import {
  ChanFlowDecoder,
  decodeChanFlow,
  escapeTags,
  LIMITS,
  MaskedStream,
  type Masker,
  type TurnResultView,
  type TurnStepView,
  type TurnUsage,
  truncate,
  withIgnored,
} from '@string-os/protocol'
import type { RunText } from '../chanflow/run-text.ts'
import type { Agent } from '../store/agents.ts'
import { PRIMER } from './primer.ts'
import { summedUsage } from './usage.ts'

/** One turn: what the agent is given, and who hears of it. */
export interface AgentRun {
  readonly agent: Agent
  readonly profile: Profile
  readonly request: TurnRequest
  /** No turn of the session has succeeded, and the agent has said nothing of it. */
  readonly isNew: boolean
  readonly hops: number
  readonly environment: Readonly<Record<string, string>>
  readonly extraEnv: Readonly<Record<string, string>>
  /** The mark of all that the turn starts. */
  readonly owner: string
  /** Its reason says what is to become of the turn. */
  readonly signal: AbortSignal
  readonly onPartial: (text: string) => void
  readonly onStep: (step: TurnStepView) => void
  readonly onStderr: (end: string) => void
}

export interface AgentEnd {
  readonly result: TurnResultView
  readonly stderr: string
  readonly usage: TurnUsage
}

/** Why a turn was ended from outside. */
export type EndReason = 'cancel' | 'stop' | 'timeout' | 'lost'

/** Runs an agent until it has answered: its process, then what it wrote in blocks, then its process again with the replies. */
export async function runAgent(run: AgentRun, runText: RunText): Promise<AgentEnd> {
  const bridge = await import('@string-os/bridge')
  const { profile, environment } = run
  const secrets = bridge.secretsOf(profile, environment)
  const loop = new Loop(run, runText, secrets, bridge.runTurn)
  const { last, text, code } = await loop.run()
  const budget = new bridge.TextBudget(profile.maxReplyChars, profile.truncationSuffix)
  const reply = last.ok && code === null ? (budget.take(text) ?? '') : ''
  const error = code === 'MAX_STEPS' ? maxSteps(profile) : last.error
  const timedOut = code === 'TIMEOUT'
  return {
    result: {
      ok: last.ok && code === null,
      reply: secrets.mask(reply),
      error: error === null ? null : secrets.mask(timedOut && !last.timed_out ? tookTooLong(profile) : error),
      code: code ?? codeOf(last),
      session_id: last.session_id,
      exit_code: timedOut ? 124 : last.exit_code,
      timed_out: timedOut || last.timed_out,
      truncated: last.truncated || budget.isCut,
      duration_ms: loop.duration(),
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

  constructor(run: AgentRun, runText: RunText, secrets: Masker, runTurn: RunTurn) {
    this.#run = run
    this.#runText = runText
    this.#secrets = secrets
    this.#runTurn = runTurn
  }

  duration(): number {
    return Math.round(performance.now() - this.#started)
  }

  usage(): TurnUsage {
    return summedUsage(
      this.#said.map(({ usage }) => usage),
      this.duration(),
    )
  }

  async run(): Promise<LoopEnd> {
    const { profile, request, isNew } = this.#run
    const first = profile.chanflow ? escapeTags(request.message) : request.message
    let next: TurnRequest = {
      ...request,
      message: profile.chanflow && profile.primer && isNew ? `${PRIMER}\n\n${first}` : first,
    }
    for (let index = 1; ; index += 1) {
      const { last, text, reply } = await this.#speak(next)
      const code = this.#endCode(last)
      if (code !== null || !last.ok || !profile.chanflow || !hasBlocks(text)) return { last, text: reply, code }
      if (index > profile.maxSteps) return { last, text: '', code: 'MAX_STEPS' }
      const answer = await this.#step(index, text)
      const ended = this.#endCode(null)
      if (ended !== null) return { last: { ...last, ok: false, error: endSentence(ended) }, text: '', code: ended }
      next = { ...request, sessionId: last.session_id, message: answer, attachments: [] }
    }
  }

  /** One run of the process. `text` is what it said, `reply` what of that was not forwarded already. */
  async #speak(request: TurnRequest): Promise<{ last: TurnResult; text: string; reply: string }> {
    const { profile, environment, extraEnv, owner, signal, onStderr, agent } = this.#run
    const partials = new Partials(profile.chanflow, this.#secrets, this.#run.onPartial)
    const last = await this.#runTurn(profile.chanflow ? whole(profile) : profile, request, {
      cwd: agent.home,
      environment,
      extraEnv,
      owner,
      signal,
      onPartial: (text) => partials.push(text),
    })
    partials.end()
    onStderr(last.stderr)
    this.#said.push(last)
    if (last.said.trim() === '') return { last, text: partials.text, reply: profile.chanflow ? '' : last.reply }
    const isForwarded = profile.wire !== '0.1' && partials.text !== ''
    return { last, text: last.said, reply: isForwarded ? '' : last.said }
  }

  async #step(index: number, text: string): Promise<string> {
    const { agent, hops, signal, onStep } = this.#run
    const started = performance.now()
    const written = writtenBlocks(text)
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
      ...this.#room(written.length),
    })
    onStep({
      index,
      text: truncate(this.#secrets.mask(text), LIMITS.turnStepChars),
      blocks: blocks.map((block, at) => ({ ...block, cmd: this.#secrets.mask(written[at] ?? '') })),
      duration_ms: Math.round(performance.now() - started),
    })
    return replies
  }

  /** What a variable cannot hold is cut in each answer, which names the file with the rest. */
  #room(blocks: number): { answerBytes?: number } {
    const { stdin, wire } = this.#run.profile
    if (stdin === 'message' || wire !== '0.1') return {}
    return { answerBytes: Math.max(MIN_ANSWER_BYTES, Math.floor(MESSAGE_BYTES / Math.max(1, blocks)) - TAG_BYTES) }
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

const MESSAGE_BYTES = LIMITS.agentStringBytes - 4_096
const TAG_BYTES = 512
const MIN_ANSWER_BYTES = 256

/** Partials on their way out: without blocks, which are not for people, and without secrets. */
class Partials {
  readonly #decoder: ChanFlowDecoder | null
  readonly #masked: MaskedStream
  readonly #forward: (text: string) => void
  readonly #parts: string[] = []
  #chars = 0

  constructor(hasBlocks: boolean, secrets: Masker, forward: (text: string) => void) {
    this.#decoder = hasBlocks ? new ChanFlowDecoder() : null
    this.#masked = new MaskedStream(secrets)
    this.#forward = forward
  }

  /** All of it, as it came. */
  get text(): string {
    return this.#parts.join('')
  }

  push(text: string): void {
    if (this.#chars < LIMITS.turnStepBytes) this.#parts.push(text)
    this.#chars += text.length
    this.#send(this.#decoder === null ? text : outside(this.#decoder.push(text)))
  }

  end(): void {
    if (this.#decoder !== null) this.#send(outside(this.#decoder.end()))
    const rest = this.#masked.end()
    if (rest !== '') this.#forward(rest)
  }

  #send(text: string): void {
    const shown = this.#masked.push(text)
    if (shown !== '') this.#forward(shown)
  }
}

function outside(items: ReturnType<ChanFlowDecoder['push']>): string {
  return items.map((item) => (item.type === 'text' ? item.text : '')).join('')
}

function hasBlocks(text: string): boolean {
  return withIgnored(decodeChanFlow(text)).some(({ type }) => type !== 'text')
}

/** The first line of each block. */
function writtenBlocks(text: string): string[] {
  return withIgnored(decodeChanFlow(text)).flatMap((item) => {
    if (item.type === 'text') return []
    const written = item.type === 'block' ? item.payload : item.type === 'ignored' ? item.tag : item.text
    return [truncate(written.trimStart().split('\n', 1)[0] ?? '', LIMITS.turnPreviewChars)]
  })
}

/** A step is not an answer: it is cut only where memory ends. */
function whole(profile: Profile): Profile {
  return { ...profile, maxReplyChars: LIMITS.turnStepBytes, truncationSuffix: '' }
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

function maxSteps({ maxSteps: most }: Profile): string {
  return `The agent wanted to go on after ${most} steps; its last blocks were not run. Ask it to go on, or raise max_steps in its profile.`
}
