import { isFields, LIMITS, parseJson } from '@string-os/protocol'
import { KeptText } from './kept-text.ts'
import { sessionIdRefusal } from './session-id.ts'
import { TextBudget } from './text-budget.ts'
import type { WireEvents, WireOutcome, WireReader, WireRow, WireSettings } from './wire.ts'

const PARTIAL = 'AGENT_PARTIAL:'
const NEXT_PARTIAL = `\n${PARTIAL}`
const SEPARATOR = ',\n'
/** Lines that all are partials whose JSON stands for itself, as nearly all of those do that a model streams. */
const PLAIN_PARTIALS = new RegExp(`^(?:${PARTIAL}"[^"\\\\\\u0000-\\u001f]*"(?:\n(?!$)|$))+$`)
/** Prefix and quote. */
const BEFORE_PLAIN = PARTIAL.length + 1
const ERROR = 'AGENT_ERROR:'
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
const NOT_IN_SESSION_ID = /[\s\u0000-\u001f\u007f-\u009f/\\:]/

/** Lines of text: `AGENT_SESSION:`, `AGENT_PARTIAL:`, `AGENT_ERROR:`, and the reply. */
export const LINE_WIRE: WireRow = {
  commandWords: (text) => text.trim().split(/\s+/),
  input: ({ message }, { stdin }) => (stdin === 'message' ? message : null),
  permissionLine: null,
  tellsUsage: false,
  // A line longer than all that can be shown of it need not be kept: a character takes at most 12 bytes here.
  lineBytes: ({ maxReplyChars }) => Math.min(LIMITS.agentLineBytes, 65_536 + 12 * maxReplyChars),
  isTold: (line, { streaming }) => streaming && line.startsWith(PARTIAL),
  newReader: (settings, events) => new TextWireReader(settings, events),
  notes: ({ stdin, streaming, sessionLinePrefix }) => [
    ...(streaming ? [['partials', 'lines of AGENT_PARTIAL:"text" alone are shown at once'] as const] : []),
    ['stdin', stdin === 'message' ? 'the message' : 'empty'],
    ['session', `lines that begin with ${sessionLinePrefix}`],
  ],
}

/** Reads lines of text: session, partials, error, and everything else, which is the reply. */
class TextWireReader implements WireReader {
  readonly #settings: WireSettings
  readonly #events: WireEvents
  readonly #partials: TextBudget
  readonly #body: KeptText
  /** No partial can be taken for a session line, which would come first. */
  readonly #isPartialAlone: boolean
  readonly #prefixes: readonly string[]
  #sessionId: string | null = null
  #error: string | null = null

  constructor(settings: WireSettings, events: WireEvents) {
    this.#settings = settings
    this.#events = events
    const { sessionLinePrefix } = settings
    this.#prefixes = [sessionLinePrefix, PARTIAL, ERROR]
    this.#isPartialAlone = !PARTIAL.startsWith(sessionLinePrefix) && !sessionLinePrefix.startsWith(PARTIAL)
    this.#partials = new TextBudget(settings.maxReplyChars, settings.truncationSuffix)
    this.#body = new KeptText(settings)
  }

  get retainedBytes(): number {
    return this.#body.retainedBytes
  }

  line(line: string, wasCut: boolean): void {
    const { sessionLinePrefix } = this.#settings
    if (line.startsWith(sessionLinePrefix)) this.#session(line.slice(sessionLinePrefix.length), wasCut)
    else if (line.startsWith(PARTIAL)) this.#partial(line, wasCut)
    else if (line.startsWith(ERROR)) this.#failed(line, wasCut)
    else this.#reply(line)
  }

  /** What holds nothing but reply, or nothing but partials, is read at once, which is several times faster. */
  lines(text: string, isAscii: boolean): boolean {
    if (text.startsWith(PARTIAL)) return this.#partialLines(text, isAscii)
    if (this.#prefixes.some((prefix) => text.startsWith(prefix) || text.includes(`\n${prefix}`))) return false
    this.#reply(withoutReturns(text))
    return true
  }

  #partialLines(text: string, isAscii: boolean): boolean {
    if (!this.#isForwarding || !this.#isPartialAlone) return false
    if (isAscii && this.#partials.hasRoomFor(text.length) && PLAIN_PARTIALS.test(text)) {
      this.#plainPartials(text)
      return true
    }
    const texts = partialsOf(text)
    if (texts === null) return false
    for (const each of texts) this.#forward(each)
    return true
  }

  /** Of ASCII every unit is a character. A loop over line ends makes no list, which would take as long as all the rest. */
  #plainPartials(text: string): void {
    for (let start = BEFORE_PLAIN; start < text.length; ) {
      const newline = text.indexOf('\n', start)
      const end = newline === -1 ? text.length : newline
      const plain = text.slice(start, end - 1)
      this.#partials.spend(plain.length)
      if (plain !== '') this.#events.partial(plain, null)
      start = end + 1 + BEFORE_PLAIN
    }
  }

  settle(): void {
    this.#body.settle()
  }

  outcome(): WireOutcome {
    const body = this.#body.text()
    if (isOtherWire(body)) this.#events.warn(OTHER_WIRE)
    return {
      reply: this.#error === null ? body : '',
      said: body,
      usage: null,
      body,
      isReplyCut: this.#body.isCut,
      arePartialsCut: this.#partials.isCut,
      error: this.#error,
      sessionId: this.#sessionId,
    }
  }

  #session(text: string, wasCut: boolean): void {
    const id = wasCut ? text : text.trim()
    const refusal = sessionIdRefusal(id, NOT_IN_SESSION_ID, 'blanks, control characters, /, \\ and :')
    if (refusal !== null) this.#events.warn(refusal)
    else this.#sessionId = id
  }

  #partial(line: string, wasCut: boolean): void {
    if (!this.#isForwarding) return
    this.#forward(this.#text(line, PARTIAL, wasCut))
  }

  #forward(whole: string): void {
    const text = this.#partials.take(whole)
    if (text !== null && text !== '') this.#events.partial(text, null)
  }

  get #isForwarding(): boolean {
    return this.#settings.streaming && this.#error === null && !this.#partials.isCut
  }

  #failed(line: string, wasCut: boolean): void {
    if (this.#error !== null) return
    const budget = new TextBudget(this.#settings.maxReplyChars, this.#settings.truncationSuffix)
    this.#error = budget.take(this.#text(line, ERROR, wasCut)) ?? ''
  }

  #reply(lines: string): void {
    if (this.#error === null) this.#body.add(lines)
  }

  #text(line: string, prefix: string, wasCut: boolean): string {
    const json = line.slice(prefix.length)
    const text = jsonText(json) ?? (wasCut ? beginningOfJson(json) : null)
    if (text !== null) return text
    this.#events.warn(`${prefix} is not followed by a JSON string: the text was taken as it stands`)
    return json.trim()
  }
}

const OTHER_WIRE =
  'The reply ends with a result of the wire 0.4, and is shown as it is: write `wire: "0.4"` into the profile'

/** Whether what was printed ends as the other wire does. */
function isOtherWire(body: string): boolean {
  const last = body.trimEnd().split('\n').at(-1) ?? ''
  const value = last.startsWith('{') ? parseJson(last) : null
  return isFields(value) && value.type === 'result'
}

function withoutReturns(lines: string): string {
  return lines.includes('\r') ? lines.replace(/\r(?=\n|$)/g, '') : lines
}

/**
 * The texts of lines that all are partials, or null. A newline cannot stand inside a JSON string, so no string reaches
 * into the next line; and each line adds one value at least, so as many texts as lines means one in each.
 */
function partialsOf(lines: string): readonly string[] | null {
  const others = countLines(lines) - 1
  const list = lines.slice(PARTIAL.length).replaceAll(NEXT_PARTIAL, SEPARATOR)
  const replaced = (lines.length - PARTIAL.length - list.length) / (NEXT_PARTIAL.length - SEPARATOR.length)
  const texts = replaced === others ? parseJson(`[${list}]`) : null
  return isTexts(texts) && texts.length === others + 1 ? texts : null
}

function isTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string')
}

function countLines(text: string): number {
  let lines = 1
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) lines += 1
  return lines
}

function jsonText(json: string): string | null {
  const value = parseJson(json)
  return typeof value === 'string' ? value : null
}

/** Of a string whose line was cut; the cut may have gone through an escape, of at most six characters. */
function beginningOfJson(json: string): string | null {
  for (let less = 0; less <= 6; less += 1) {
    const text = jsonText(`${json.slice(0, json.length - less)}"`)
    if (text !== null) return text
  }
  return null
}
