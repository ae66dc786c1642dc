import { type Change, changed, count, type Failure, fail, type Result } from '@string-os/protocol'
import { bodyLines, spliceLines } from '../../document/text/text-lines.ts'
import type { EditTarget } from '../../editing/edit-target.ts'
import type { MakeText } from '../../editing/editor.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { FORCE, refuseBody } from './edit-input.ts'
import { exactTexts } from './exact-texts.ts'

export const replace = defineCommand({
  name: 'replace',
  summary: 'Replace lines, a block, or an exact text in a file',
  params: { target: 'required' },
  flags: {
    all: { type: 'boolean', summary: 'every place where the text stands' },
    delete: { type: 'boolean', bodyless: true, summary: 'remove the lines, or what the block holds' },
    sep: { type: 'string', summary: 'the line between old and new text, instead of ---' },
    next: { type: 'string', summary: 'a line between one replacement and the next: several in one body, all or none' },
    force: FORCE,
  },
  body: 'required',
  details: [
    'TARGET `PATH:L5-L10`, `PATH#block`, or `:L5` and `#block` of the open document: the body takes their place.',
    'TARGET `PATH`: the body is the old text, a line `---`, and the new text; with nothing behind the `---` the old text goes.',
  ],
  examples: [
    '/replace notes.md:L5\nThis is line 5 now.',
    '/replace #decisions\n## Decisions\n1. Ship it',
    '/replace notes.md\nold words\n---\nnew words',
    '/replace notes.md --next ====\nold words\n---\nnew words\n====\nother words\n---\nbetter words',
    '/replace notes.md:L5-L10 --delete',
  ],
  async run({ target: typed, all, sep, next, delete: remove, force, body }, context) {
    const refused = refuseBody(body)
    if (refused !== null) return refused
    const target = await context.editor.target(typed)
    if (!target.ok) return target
    if (remove && target.part.kind === 'whole') return deleteWhat(target)
    if (target.part.kind !== 'whole')
      return next === undefined ? apply(target, putLines(body), force, context) : severalOfWhat(target)
    const made = exactTexts(target.shown, body, { separator: sep, next }, all)
    if (made.ok) return apply(target, made.make, force, context)
    const meant = LINES.test(typed) ? [`Did you mean :${typed}, of the open document?`] : []
    return { ...made, hints: [...meant, ...made.hints] }
  },
})

/** Lines, without what tells them from the name of a file. */
const LINES = /^L\d+(?:-L?\d+)?$/

function deleteWhat({ shown }: EditTarget): Failure {
  return fail(
    'USAGE',
    `Delete what of ${shown}?`,
    `/replace ${shown}:L5-L10 --delete removes lines, /replace ${shown}#block --delete what a block holds`,
    `/write ${shown} --empty empties the file`,
  )
}

function severalOfWhat({ shown }: EditTarget): Failure {
  return fail(
    'USAGE',
    `--next is for texts that are looked for, and ${shown} is a place already`,
    'Name the file alone: /replace PATH --next LINE',
  )
}

async function apply(target: EditTarget, make: MakeText, force: boolean, { editor }: CommandContext): Promise<Result> {
  const edited = await editor.change(target, make, { force, create: false })
  if (!edited.ok) return edited
  const { change } = edited
  return changed(`Replaced ${target.shown} (${counts(change)})`, change, change.diff === '' ? null : change.diff)
}

function counts({ added, removed }: Change): string {
  return `added ${count(added, 'line')}, removed ${count(removed, 'line')}`
}

function putLines(body: string): MakeText {
  const texts = bodyLines(body)
  return ({ lines, from, count: size }) => ({
    ok: true,
    lines: spliceLines(lines, from, size, texts),
    put: texts.length,
  })
}
