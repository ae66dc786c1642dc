import { changed, count } from '@string-os/protocol'
import { defineCommand } from '../core/define.ts'
import { FORCE } from './edit-input.ts'

export const undo = defineCommand({
  name: 'undo',
  summary: 'Take back the last edit of this topic',
  params: {},
  flags: { force: FORCE },
  body: 'none',
  details: ['One step: the edit before the last cannot be taken back.'],
  examples: ['/undo'],
  async run({ force }, { editor }) {
    const undone = await editor.undo(force)
    if (!undone.ok) return undone
    const { shown, lines, change } = undone
    const said = lines === null ? `removed ${shown}, which was new` : `reverted ${shown} (${count(lines, 'line')})`
    return changed(`Undo: ${said}`, change)
  },
})
