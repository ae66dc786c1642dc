import type { Exchange } from '../route.ts'
import { nextStepOf } from './next-step.ts'
import { sendJson } from './respond.ts'

const NO_JSON = 'Invalid JSON body —'
const BYTE_ORDER_MARK = '\uFEFF'

/** Refuses a body. The reason says what was expected; the next step begins with what came instead. */
export function sendBodyError({ response, bytes }: Pick<Exchange, 'response' | 'bytes'>, error: string): void {
  const { next } = nextStepOf(400, error)
  const came = error.startsWith(NO_JSON) ? whatCame(bytes) : null
  const said = came === null ? next : `${came}. ${next ?? ''}`
  sendJson(response, 400, said === undefined ? { error } : { error, next: said })
}

/** Null: an object, which lacks something. */
function whatCame(bytes: Buffer): string | null {
  if (bytes.length === 0) return 'The body is empty'
  const text = bytes.toString('utf8')
  if (text.startsWith(BYTE_ORDER_MARK)) return 'The body begins with a byte-order mark, which JSON does not have'
  try {
    return kindOf(JSON.parse(text))
  } catch (error) {
    return whereItBreaks(text, error instanceof Error ? error.message : '')
  }
}

function kindOf(value: unknown): string | null {
  if (value === null) return 'The body is null instead of an object'
  if (Array.isArray(value)) return 'The body is a list instead of an object'
  return typeof value === 'object' ? null : `The body is a ${typeof value} instead of an object`
}

/** Only the parser's own words say where it stopped; of a short text they do not. */
function whereItBreaks(text: string, why: string): string {
  const [, at] = /at position (\d+)/.exec(why) ?? []
  const breaksOff = /end of JSON input|^Unterminated/.test(why) || Number(at) >= text.length
  if (breaksOff) return `The body breaks off at byte ${Buffer.byteLength(text)}`
  if (at === undefined) return 'The body is no JSON'
  return `The body is no JSON from byte ${Buffer.byteLength(text.slice(0, Number(at)))} on`
}
