import { type Fields, isFields, LIMITS, parseJson, truncate } from '@string-os/protocol'
import { KeptText } from './kept-text.ts'
import { sessionIdRefusal } from './session-id.ts'
import { TextBudget } from './text-budget.ts'
import type { Permission, TurnRequest } from './turn.ts'
import { type AgentUsage, readUsage } from './usage.ts'
import type { WireEvents, WireOutcome, WireReader, WireRow, WireSettings } from './wire.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
const NOT_IN_SESSION_ID = /[\u0000-\u001f\u007f-\u009f/\\]/

/** Of what was forwarded, what a result is compared with, and how much of that. */
const COMPARED_CHARS = 64 * 1024
const ENOUGH_CHARS = 200
/** Whoever reads the answer of an agent that streams shall not lose its last word. */
const UNSHOWN = 'The text of the result was not shown, because partials were (send it as a partial, too)'
const UNSHOWN_CHARS = 1_000

const NO_RESULT =
  'It ended without a result, {"type":"result","text":"…"}: is `wire` right? Text alone is an answer with wire: "0.1"'

const CUT_SHORT = 'It ended without a result: what it said before may not be all of its answer'

/** What an agent may say; each of them may name the session, also where the rest of it cannot be used. */
const TYPES: readonly unknown[] = ['partial', 'result', 'error', 'permission_request']

/** Lines of JSON: a turn on standard input; partials, results, errors and requests for permission on output. */
export const JSON_WIRE: WireRow = {
  commandWords: (text) => [text.trim()],
  input: turnLine,
  permissionLine,
  tellsUsage: true,
  lineBytes: () => LIMITS.agentLineBytes,
  isTold,
  newReader: (settings, events) => new JsonWireReader(settings, events),
  notes: ({ streaming }) =>
    streaming ? [['partials', 'lines of {"type":"partial","text":"…"} alone are shown at once']] : [],
}

function isTold(line: string, { streaming, permission }: WireSettings): boolean {
  const fields = parseJson(line)
  if (!isFields(fields)) return false
  return (streaming && fields.type === 'partial') || (permission && fields.type === 'permission_request')
}

/** The line that tells an agent what to do. */
function turnLine(request: TurnRequest, { permission }: WireSettings): string {
  const attachments = request.attachments.map(({ type, url, name }) => ({ kind: type, type, url, name }))
  return `${JSON.stringify({
    type: 'turn',
    message: request.message,
    session_id: request.sessionId ?? '',
    session_name: request.sessionName,
    attachments,
    permission,
    protocol_version: '0.4',
  })}\n`
}

function permissionLine(requestId: string, behavior: Permission): string {
  return `${JSON.stringify({ type: 'permission_response', request_id: requestId, behavior })}\n`
}

/** Reads lines of JSON: partial, result, error and permission_request objects. Anything else is warned about. */
class JsonWireReader implements WireReader {
  readonly #settings: WireSettings
  readonly #events: WireEvents
  readonly #partials: TextBudget
  /** What is no JSON object: nothing to an agent that does its work, perhaps the reason of one that fails. */
  readonly #strayLines: KeptText
  #hasStray = false
  #hasForwarded = false
  /** The end of what was forwarded. */
  #forwarded = ''
  #reply: { readonly text: string; readonly isCut: boolean } | null = null
  #usage: AgentUsage | null = null
  #sessionId: string | null = null
  #error: string | null = null

  constructor(settings: WireSettings, events: WireEvents) {
    this.#settings = settings
    this.#events = events
    this.#partials = this.#newBudget()
    this.#strayLines = new KeptText(settings)
  }

  get retainedBytes(): number {
    return Buffer.byteLength(this.#reply?.text ?? '') + this.#strayLines.retainedBytes
  }

  line(line: string, wasCut: boolean): void {
    if (line === '' || /^\s*$/.test(line)) return
    const fields = wasCut ? null : parseJson(line)
    if (!isFields(fields)) return this.#stray(line)
    if (!this.#handle(fields)) this.#events.warn('An object of unknown type or shape was ignored')
    if (TYPES.includes(fields.type)) this.#session(fields.session_id)
  }

  lines(): boolean {
    return false
  }

  settle(): void {
    // What JSON.parse makes are strings of their own.
    this.#strayLines.settle()
  }

  outcome(): WireOutcome {
    const isAnswered = this.#reply !== null || this.#error !== null || this.#hasForwarded
    if (!isAnswered && this.#hasStray) this.#events.warn(NO_RESULT)
    // Its result may be what could not be read.
    if (isAnswered && this.#hasStray && this.#reply === null && this.#error === null) this.#events.warn(CUT_SHORT)
    const { text, isCut } = (this.#hasForwarded ? null : this.#reply) ?? { text: '', isCut: false }
    return {
      reply: text,
      said: this.#reply?.text ?? '',
      usage: this.#usage,
      body: [this.#strayLines.text(), text].filter((part) => part !== '').join('\n'),
      isReplyCut: isCut,
      arePartialsCut: this.#partials.isCut,
      error: this.#error,
      sessionId: this.#sessionId,
    }
  }

  /** Whether an object was understood. What an agent says about its end counts even where the words are missing. */
  #handle(fields: Fields): boolean {
    const { type, text, role, message } = fields
    if (type === 'partial' && typeof text === 'string')
      return this.#partial(text, typeof role === 'string' ? role : null)
    if (type === 'result') return this.#result(typeof text === 'string' ? text : '', fields.usage)
    if (type === 'error') return this.#failed(typeof message === 'string' ? message : '')
    return type === 'permission_request' && this.#permission(fields)
  }

  #stray(line: string): void {
    this.#strayLines.add(line)
    // The first says what kind of lines they are.
    const said = this.#hasStray ? '' : `: ${truncate(line.trim(), UNSHOWN_CHARS)}`
    this.#hasStray = true
    this.#events.warn(`A line of output that is no JSON object was ignored${said}`)
  }

  #partial(whole: string, role: string | null): true {
    if (!this.#settings.streaming || this.#error !== null) return true
    const text = this.#partials.take(whole)
    if (text === null || text === '') return true
    this.#hasForwarded = true
    this.#forwarded += text
    if (this.#forwarded.length > 2 * COMPARED_CHARS) this.#forwarded = this.#forwarded.slice(-COMPARED_CHARS)
    this.#events.partial(text, role)
    return true
  }

  #result(whole: string, usage: unknown): true {
    if (this.#error === null && this.#reply === null) {
      this.#usage = readUsage(usage)
      const budget = this.#newBudget()
      this.#reply = { text: budget.take(whole) ?? '', isCut: budget.isCut }
      if (this.#hasForwarded && !holds(this.#forwarded, whole))
        this.#events.warn(`${UNSHOWN}: ${truncate(whole.trim(), UNSHOWN_CHARS)}`)
    } else this.#events.warn('A subsequent result was ignored: the first result or error is the end')
    this.#events.answered()
    return true
  }

  #failed(message: string): true {
    this.#error ??= this.#newBudget().take(message) ?? ''
    this.#events.answered()
    return true
  }

  #permission({ request_id, tool_name, input }: Fields): boolean {
    if (!this.#settings.permission) {
      this.#events.warn('A permission_request was ignored: the profile has no `permission: true`')
      return true
    }
    if (typeof request_id !== 'string' || typeof tool_name !== 'string') return false
    this.#events.permission({ request_id, tool_name, input })
    return true
  }

  #session(id: unknown): void {
    if (typeof id !== 'string' || id === '') return
    const refusal = sessionIdRefusal(id, NOT_IN_SESSION_ID, 'control characters, / and \\')
    if (refusal !== null) this.#events.warn(refusal)
    else this.#sessionId ??= id
  }

  #newBudget(): TextBudget {
    return new TextBudget(this.#settings.maxReplyChars, this.#settings.truncationSuffix)
  }
}

/** Whether a text ends as something in another does; whoever joins partials may write other blanks and line ends. */
function holds(text: string, part: string): boolean {
  return text.replace(/\s+/g, '').includes(part.replace(/\s+/g, '').slice(-ENOUGH_CHARS))
}
