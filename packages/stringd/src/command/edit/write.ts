import { changed, count } from '@string-os/protocol'
import { splitLines } from '../../document/text/text-lines.ts'
import type { MakeText } from '../../editing/editor.ts'
import { defineCommand } from '../core/define.ts'
import { FORCE, putBody, refuseBody } from './edit-input.ts'

export const write = defineCommand({
  name: 'write',
  summary: 'Write a file, or a block of one',
  params: { target: 'required' },
  flags: {
    raw: { type: 'boolean', summary: 'exactly the body, byte for byte' },
    empty: { type: 'boolean', bodyless: true, summary: 'an empty file, or an empty block' },
    force: FORCE,
  },
  body: 'required',
  details: [
    'A bare name is the file of that name that this topic has open or has read, else a file in your working directory, or home.',
    'Folders on the way are made. Line ends and a missing final newline of an existing file are kept; a new file ends with',
    'one newline.',
  ],
  examples: [
    '/write notes/today.md\n# Today\nNothing yet.',
    '/write notes/today.md#plan\n1. Rest',
    '/write notes/today.md --empty',
  ],
  async run({ target: typed, raw, empty, force, body }, { editor }) {
    const refused = refuseBody(body)
    if (refused !== null) return refused
    const target = await editor.target(typed)
    if (!target.ok) return target
    const make = (raw || empty) && target.part.kind === 'whole' ? exactly(body) : putBody(body)
    const edited = await editor.change(target, make, { force, create: target.part.kind === 'whole' })
    if (!edited.ok) return edited
    const { bytes, lines, replaced, change } = edited
    const before = replaced === null ? '' : `, replaced ${count(replaced, 'line')}`
    return changed(`Written: ${target.shown} (${bytes} bytes, ${count(lines, 'line')})${before}`, change)
  },
})

function exactly(body: string): MakeText {
  const lines = splitLines(body)
  return () => ({ ok: true, lines, put: lines.length, raw: true })
}
