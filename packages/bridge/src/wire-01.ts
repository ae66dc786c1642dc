import { LIMITS } from '@string-os/protocol'
import type { Profile } from './profile.ts'
import { TextBudget } from './text-budget.ts'
import type { WireEvents, WireOutcome, WireReader } from './turn.ts'

const PARTIAL = 'AGENT_PARTIAL:'
const ERROR = 'AGENT_ERROR:'
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
const NOT_IN_SESSION_ID = /[\s\u0000-\u001f\u007f-\u009f/\\:]/

/** Reads lines of text: session, partials, error, and everything else, which is the reply. */
export class LineWire implements WireReader {
  readonly #profile: Profile
  readonly #events: WireEvents
  readonly #partials: TextBudget
  readonly #bodyBudget: TextBudget
  readonly #body: Buffer[] = []
  /** Body of the chunk that is being read. */
  #fresh = ''
  #hasBody = false
  #sessionId: string | null = null
  #error: string | null = null

  constructor(profile: Profile, events: WireEvents) {
    this.#profile = profile
    this.#events = events
    this.#partials = new TextBudget(profile.maxReplyChars, profile.truncationSuffix)
    this.#bodyBudget = new TextBudget(profile.maxReplyChars, profile.truncationSuffix)
  }

  get retainedBytes(): number {
    return this.#body.reduce((sum, { length }) => sum + length, 0) + Buffer.byteLength(this.#fresh)
  }

  line(line: string, wasCut: boolean): void {
    const { sessionLinePrefix } = this.#profile
    if (line.startsWith(sessionLinePrefix)) this.#session(line.slice(sessionLinePrefix.length), wasCut)
    else if (line.startsWith(PARTIAL)) this.#partial(line, wasCut)
    else if (line.startsWith(ERROR)) this.#failed(line, wasCut)
    else this.#reply(line)
  }

  /** Lines are views of the chunk they came in: what is kept of them is copied, or it would keep the chunk. */
  settle(): void {
    if (this.#fresh === '') return
    this.#body.push(Buffer.from(this.#fresh))
    this.#fresh = ''
  }

  outcome(): WireOutcome {
    this.settle()
    return {
      reply: Buffer.concat(this.#body).toString(),
      isReplyCut: this.#bodyBudget.isCut,
      arePartialsCut: this.#partials.isCut,
      error: this.#error,
      sessionId: this.#sessionId,
    }
  }

  #session(text: string, wasCut: boolean): void {
    const id = text.trim()
    if (id !== '' && !wasCut && id.length <= LIMITS.agentSessionChars && !NOT_IN_SESSION_ID.test(id)) {
      this.#sessionId = id
    } else this.#events.warn('A session line without a usable id was ignored')
  }

  #partial(line: string, wasCut: boolean): void {
    if (!this.#profile.streaming || this.#error !== null || this.#partials.isCut) return
    const text = this.#partials.take(this.#text(line, PARTIAL, wasCut))
    if (text !== null && text !== '') this.#events.partial(text, null)
  }

  #failed(line: string, wasCut: boolean): void {
    if (this.#error !== null) return
    const budget = new TextBudget(this.#profile.maxReplyChars, this.#profile.truncationSuffix)
    this.#error = budget.take(this.#text(line, ERROR, wasCut)) ?? ''
    this.#body.length = 0
    this.#fresh = ''
  }

  #reply(line: string): void {
    if (this.#error !== null || this.#bodyBudget.isCut) return
    this.#fresh += this.#bodyBudget.take(this.#hasBody ? `\n${line}` : line) ?? ''
    this.#hasBody = true
  }

  #text(line: string, prefix: string, wasCut: boolean): string {
    const json = line.slice(prefix.length)
    const text = jsonText(json) ?? (wasCut ? beginningOfJson(json) : null)
    if (text !== null) return text
    this.#events.warn(`${prefix} is not followed by a JSON string: the text was taken as it stands`)
    return json.trim()
  }
}

function jsonText(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : null
  } catch {
    // Not JSON: the caller says so.
    return null
  }
}

/** Of a string whose line was cut; the cut may have gone through an escape, of at most six characters. */
function beginningOfJson(json: string): string | null {
  for (let less = 0; less <= 6; less += 1) {
    const text = jsonText(`${json.slice(0, json.length - less)}"`)
    if (text !== null) return text
  }
  return null
}
