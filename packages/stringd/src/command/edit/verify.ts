import { fail, ok } from '@string-os/protocol'
import { joinLines } from '../../document/text/text-lines.ts'
import { defineCommand } from '../core/define.ts'

export const verify = defineCommand({
  name: 'verify',
  summary: 'Show a block as it is on disk now',
  params: { target: 'required' },
  flags: {},
  body: 'none',
  details: ['TARGET is `PATH#block`, or `#block` of the open document.'],
  examples: ['/verify notes.md#decisions'],
  async run({ target: typed }, { editor }) {
    const target = await editor.inspect(typed)
    if (!target.ok) return target
    if (target.part.kind === 'whole') return fail('USAGE', `Which block of ${typed}?`, `Usage: /verify ${typed}#block`)
    const source = await editor.read(target)
    if (!source.ok) return source
    const text = joinLines(source.lines.slice(source.from, source.from + source.count))
    return ok(`Verified ${target.shown}`, text === '' ? '(empty)' : text)
  },
})
