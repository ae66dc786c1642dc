import { changed, count, LIMITS, ok, type Result } from '@string-os/protocol'
import { numberedLines } from '../../document/text/diff.ts'
import type { EditTarget } from '../../editing/edit-target.ts'
import type { Source } from '../../editing/editor.ts'
import { firstBytes } from '../../shell/both-ends.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { FORCE, putBody, refuseBody } from './edit-input.ts'

export const edit = defineCommand({
  name: 'edit',
  summary: 'Show a file with line numbers, or with a body change it, a block or lines',
  params: { target: 'required' },
  flags: { force: FORCE },
  body: 'optional',
  details: ['TARGET is `PATH`, `PATH#block` or `PATH:L10-L60`. With a body, that part becomes the body.'],
  examples: ['/edit notes.md', '/edit notes.md:L10-L60', '/edit notes.md#decisions\n## Decisions\n1. Ship it'],
  async run({ target: typed, force, body }, context) {
    const target = await context.editor.target(typed)
    if (!target.ok) return target
    return body === '' ? view(target, context) : change(target, body, force, context)
  },
})

/** The numbered source of a target; the topic is in edit mode until it opens something. */
export async function view(target: EditTarget, { editor, session, reader }: CommandContext): Promise<Result> {
  const source = await editor.read(target)
  if (!source.ok) return source
  const { place, link } = target
  reader.enter({ ok: true, kind: 'file', place, block: null, ...(link === undefined ? {} : { link }) })
  session.mode = 'edit'
  return ok(`[editing: ${target.shown}]`, numbered(source, target.shown))
}

/** A page, with room for the line that says how to go on. */
const EDIT_BYTES = LIMITS.pageBytes - 1024

/** As much as fits; the rest can be asked for by its lines. */
export function numbered(
  { lines, from, count: size }: Pick<Source, 'lines' | 'from' | 'count'>,
  shown: string,
): string {
  // A line takes some bytes at least: no more than these can fit.
  const text = numberedLines(lines.slice(from, from + Math.min(size, EDIT_BYTES)), from, size)
  if (Buffer.byteLength(text) <= EDIT_BYTES) return text === '' ? '(empty)' : text
  const head = headOf(text)
  const next = from + head.split('\n').length + 1
  const path = shown.replace(/(:L[\d-L]+|#[^#]*)$/, '')
  return `${head}\n… ${count(from + size - next + 1, 'line')} more: /edit ${path}:L${next}-L${from + size}`
}

/** Lines of a file that is only looked at, the first counted from 1; `to` is the last that was asked for. */
export function numberedFrom(texts: readonly string[], first: number, to: number, path: string): string {
  const lines = texts.map((text) => ({ text, end: '\n' as const }))
  const text = numberedLines(lines, first - 1, Math.max(lines.length, to - first + 1))
  const head = Buffer.byteLength(text) <= EDIT_BYTES ? text : headOf(text)
  const next = first + head.split('\n').length
  return next > to ? head : `${head}\n… ${count(to - next + 1, 'line')} more: /open ${path}:L${next}-L${to}`
}

/** Whole lines, as many as a page takes; of a longer one its beginning. */
function headOf(text: string): string {
  const fits = firstBytes(text, EDIT_BYTES)
  const end = text.charAt(fits.length) === '\n' ? fits.length : fits.lastIndexOf('\n')
  return end === -1 ? `${fits}…` : fits.slice(0, end)
}

async function change(target: EditTarget, body: string, force: boolean, { editor }: CommandContext): Promise<Result> {
  const refused = refuseBody(body)
  if (refused !== null) return refused
  const edited = await editor.change(target, putBody(body), { force, create: false })
  if (!edited.ok) return edited
  const extent = target.part.kind === 'whole' ? ', whole file' : ''
  return changed(`Edited ${target.shown} (${count(edited.put, 'line')}${extent})`, edited.change)
}
