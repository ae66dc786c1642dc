import { type Data, type DocumentMeta, isFields, parseJson, parseSse } from '@string-os/protocol'
import { asFields } from './call.ts'

export interface ExecResult<Said = Data> {
  readonly ok: boolean
  /** Null on success; `STREAM_INCOMPLETE` when the answer broke off. */
  readonly code: string | null
  /** The answer without its `re:` line. */
  readonly content: string
  /** The document that the topic shows now, if any. */
  readonly meta: DocumentMeta | null
  /** What the command has to say as fields, if anything; errors but those of shell commands and actions have none. */
  readonly data: Said | null
  /** Of `INVALID_PATH`: the folder that would have to be opened to the agent, where that is the reason. */
  readonly outside?: string
  /** `markdown`: what follows the first line and `---` is a page to be read, which may be laid out. */
  readonly format: 'text' | 'markdown'
  /** The topic in its canonical form. */
  readonly topic: string
}

/** Written as every answer writes an error. */
const BROKEN_OFF = [
  'ERROR(STREAM_INCOMPLETE): The daemon went away, or hangs, before the answer was complete; the command may have run',
  '  Look what became of it before you run it again; `string restart` replaces a daemon that hangs',
].join('\n')

/** Takes away the first line of an answer's content, `re: [id] /command`. */
export function stripContentPrefix(raw: string): string {
  if (!raw.startsWith('re: ')) return raw
  const end = raw.indexOf('\n')
  return end === -1 ? '' : raw.slice(end + 1)
}

/** Makes a result of the three events; whatever is missing or broken makes it `STREAM_INCOMPLETE`. */
export function readExecResult<Said>(text: string, topic: string): ExecResult<Said> {
  const events = new Map(parseSse(text).map(({ event, data }) => [event, parseJson(data)]))
  const head = asFields(events.get('head'))
  const content = events.get('content')
  const meta = isMeta(head.meta) ? head.meta : null
  const { outside } = asFields(head.data)
  const isOutside = head.code === 'INVALID_PATH' && typeof outside === 'string'
  // What a refusal says is none of the fields that the command has.
  const data = isData<Said>(head.data) && !isOutside ? head.data : null
  const name = typeof head.topic === 'string' ? head.topic : topic
  const format = head.format === 'markdown' ? 'markdown' : 'text'
  const shown = typeof content === 'string' ? stripContentPrefix(content) : ''
  if (typeof head.ok !== 'boolean' || typeof content !== 'string' || !events.has('done')) {
    const told = shown === '' ? BROKEN_OFF : `${BROKEN_OFF}\n---\n${shown}`
    return { ok: false, code: 'STREAM_INCOMPLETE', content: told, meta, data, format, topic: name }
  }
  return {
    ok: head.ok,
    code: typeof head.code === 'string' ? head.code : null,
    content: shown,
    meta,
    data,
    format,
    topic: name,
    ...(isOutside ? { outside } : {}),
  }
}

/** The result of a command whose answer never began: it may have run. */
export function incompleteResult(topic: string): ExecResult<never> {
  return { ok: false, code: 'STREAM_INCOMPLETE', content: BROKEN_OFF, meta: null, data: null, format: 'text', topic }
}

/** Parsed JSON that is an object can hold nothing but JSON; which fields a command has is promised by the daemon. */
function isData<Said>(value: unknown): value is Said {
  return isFields(value)
}

function isMeta(value: unknown): value is DocumentMeta {
  return typeof asFields(value).uri === 'string'
}
