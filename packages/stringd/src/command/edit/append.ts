import { changed, fail } from '@string-os/protocol'
import { bodyLines, spliceLines } from '../../document/text/text-lines.ts'
import { defineCommand } from '../core/define.ts'
import { FORCE, refuseBody } from './edit-input.ts'

export const append = defineCommand({
  name: 'append',
  summary: 'Add text at the end of a file',
  params: { path: 'required' },
  flags: { force: FORCE },
  body: 'required',
  details: ['The text starts on a new line.'],
  examples: ['/append log.md\n- 14:30 called back'],
  async run({ path, force, body }, { editor }) {
    const refused = refuseBody(body)
    if (refused !== null) return refused
    const target = await editor.target(path)
    if (!target.ok) return target
    if (target.part.kind !== 'whole')
      return fail('INVALID_TARGET', `/append adds to a whole file: ${path}`, '/replace changes a block or lines')
    const texts = bodyLines(body)
    const edited = await editor.change(
      target,
      ({ lines }) => ({
        ok: true,
        lines: spliceLines(lines, lines.length, 0, texts),
        put: texts.length,
      }),
      { force, create: false },
    )
    if (!edited.ok) return edited
    return changed(`Appended to: ${target.shown} (now ${edited.bytes} bytes)`, edited.change)
  },
})
