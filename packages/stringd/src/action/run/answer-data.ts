import { type Data, type Json, LIMITS } from '@string-os/protocol'
import { bothEnds, NOTE_BYTES, shortened } from '../../shell/both-ends.ts'
import type { Excerpt } from '../../shell/output/output.ts'
import type { Kept } from '../../shell/shell-host.ts'
import type { WebPage } from '../../web/page.ts'
import { parseAnswerJson } from './json.ts'
import type { Secrets } from './secrets.ts'

const NOT_KEPT: Kept = { where: 'not kept, because it may hold secrets', path: null }

/** How much of an answer is shown, and what becomes of the rest. */
export interface AnswerRoom {
  readonly shownBytes: number
  readonly keep: (text: string) => Kept
}

/** What a server sent, as programs get it; JSON that is whole as what it says, else the text. Secrets are masked. */
export function pageData(status: number, page: WebPage, secrets: Secrets, room: AnswerRoom): Data {
  const { mediaType, kind, text } = page
  const said = { status, content_type: mediaType }
  if (kind === 'image' || kind === 'binary') return { ...said, body: null }
  const json = kind === 'json' ? wholeJson(secrets.mask(text)) : undefined
  if (json !== undefined) return { ...said, response: json }
  const excerpt = excerptOf(text, secrets, room)
  return { ...said, body: excerpt.text, ...cutData(excerpt) }
}

function wholeJson(text: string): Json | undefined {
  return Buffer.byteLength(text) <= LIMITS.answerBytes ? parseAnswerJson(text) : undefined
}

/**
 * What a command printed, and its exit status; null where it did not come to one. Without `errors`, what it wrote on standard
 * error is among the rest.
 */
export function outputData(
  exit: number | null,
  excerpt: Excerpt,
  { errors = null }: { errors?: string | null } = {},
): Data {
  return { exit_code: exit, output: excerpt.text, ...(errors === null ? {} : { stderr: errors }), ...cutData(excerpt) }
}

function cutData({ isCut, path }: Excerpt): Data {
  return isCut ? { truncated: true, whole: path } : {}
}

/** A text of which both ends are left where there is no room for it; masked before, for half of a secret is not recognised. */
export function excerptOf(text: string, secrets: Secrets, { shownBytes, keep }: AnswerRoom): Excerpt {
  const safe = secrets.mask(text)
  if (Buffer.byteLength(safe) <= shownBytes) return { text: safe, isCut: false, path: null }
  const { where, path } = secrets.size > 0 ? NOT_KEPT : keep(text)
  return { text: shortened(bothEnds(safe, shownBytes - NOTE_BYTES), where), isCut: true, path }
}
