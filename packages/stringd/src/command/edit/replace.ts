import { type Change, changed, count, type Failure, fail, LIMITS, type Result } from '@string-os/protocol'
import { findExact, parseReplacement } from '../../document/text/exact-text.ts'
import { bodyLines, spliceLines } from '../../document/text/text-lines.ts'
import type { EditTarget } from '../../editing/edit-target.ts'
import type { NewText, Source } from '../../editing/editor.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { FORCE, refuseBody } from './edit-input.ts'

export const replace = defineCommand({
  name: 'replace',
  summary: 'Replace lines, a block, or an exact text in a file',
  params: { target: 'required' },
  flags: {
    all: { type: 'boolean', summary: 'every place where the text stands' },
    delete: { type: 'boolean', bodyless: true, summary: 'remove the lines, or what the block holds' },
    sep: { type: 'string', summary: 'the line between old and new text, instead of ---' },
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
    '/replace notes.md:L5-L10 --delete',
  ],
  async run({ target: typed, all, sep, delete: remove, force, body }, context) {
    const refused = refuseBody(body)
    if (refused !== null) return refused
    const target = await context.editor.target(typed)
    if (!target.ok) return target
    if (remove && target.part.kind === 'whole') return deleteWhat(target)
    const made = target.part.kind === 'whole' ? exactText(target, body, sep, all) : lines(body)
    return made.ok ? apply(target, made.make, force, context) : made
  },
})

function deleteWhat({ shown }: EditTarget): Failure {
  return fail(
    'USAGE',
    `Delete what of ${shown}?`,
    `/replace ${shown}:L5-L10 --delete removes lines, /replace ${shown}#block --delete what a block holds`,
    `/write ${shown} --empty empties the file`,
  )
}

/** Makes the new text of what is there when it is written. */
type Make = (source: Source) => NewText | Failure

interface Made {
  readonly ok: true
  readonly make: Make
}

async function apply(target: EditTarget, make: Make, force: boolean, { editor }: CommandContext): Promise<Result> {
  const edited = await editor.change(target, make, { force, create: false })
  if (!edited.ok) return edited
  const { change } = edited
  return changed(`Replaced ${target.shown} (${counts(change)})`, change, change.diff === '' ? null : change.diff)
}

function counts({ added, removed }: Change): string {
  return `added ${count(added, 'line')}, removed ${count(removed, 'line')}`
}

function lines(body: string): Made {
  const texts = bodyLines(body)
  const make: Make = (source) => ({
    ok: true,
    lines: spliceLines(source.lines, source.from, source.count, texts),
    put: texts.length,
  })
  return { ok: true, make }
}

function tooMuch(found: 'too-many' | 'too-large', shown: string): Failure {
  return found === 'too-many'
    ? fail(
        'TOO_LARGE',
        `The text stands more than ${LIMITS.replacedPlaces} times in ${shown}`,
        'Give more of the text around it; /exec can change every place, for example with sed',
      )
    : fail(
        'TOO_LARGE',
        `${shown} would be larger than ${LIMITS.documentBytes / 1024 / 1024} MiB`,
        'Write less, or several files',
      )
}

function exactText({ shown }: EditTarget, body: string, sep: string | undefined, all: boolean): Made | Failure {
  const replacement = parseReplacement(body, sep)
  if (!replacement.ok) return replacement
  const make: Make = (source) => {
    const found = findExact(source.lines, replacement, all)
    if (found.kind === 'too-many' || found.kind === 'too-large') return tooMuch(found.kind, shown)
    if (found.kind === 'lines') {
      return {
        ok: true,
        lines: spliceLines(source.lines, found.from, found.count, found.texts),
        put: 0,
      }
    }
    if (found.places.length === 0)
      return fail('NOT_FOUND', `The text does not stand in ${shown}`, `/edit ${shown} shows it with line numbers`)
    const places = found.places
      .slice(0, 20)
      .map((line) => `L${line}`)
      .join(', ')
    return fail(
      'AMBIGUOUS',
      `The text stands ${found.places.length} times in ${shown}`,
      `At ${places}`,
      'Give more of the text around it, or --all for every place',
    )
  }
  return { ok: true, make }
}
