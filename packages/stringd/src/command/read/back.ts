import { fail } from '@string-os/protocol'
import { defineCommand } from '../core/define.ts'
import { FIRST_PAGE, showDocument } from './view.ts'

export const back = defineCommand({
  name: 'back',
  summary: 'Go back to the document before this one',
  params: {},
  flags: {},
  body: 'none',
  details: [],
  examples: ['/back'],
  async run(_args, context) {
    const { session, reader } = context
    const address = session.history.at(-1)
    if (address === undefined)
      return fail('NO_HISTORY', 'There is no earlier document in this topic', '/open TARGET opens one')
    const shown = reader.show(address)
    const loaded = await reader.reload(address)
    if (!loaded.ok) return loaded
    const result = showDocument(`Back to ${shown}`, address, loaded, FIRST_PAGE, context, false)
    if (result.ok) session.history.pop()
    return result
  },
})
