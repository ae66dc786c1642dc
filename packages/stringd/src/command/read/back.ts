import { fail } from '@string-os/protocol'
import { defineCommand } from '../core/define.ts'
import { showRaw } from './open-address.ts'
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
    const system = `Back to ${shown}`
    const result = loaded.ok
      ? showDocument(system, address, loaded, FIRST_PAGE, context, false)
      : showRaw(system, address, loaded, context)
    const before = session.history.at(-2)
    if (!result.ok && before === undefined) return result
    session.history.pop()
    // What cannot be shown any more is not in the way of what came before it.
    return result.ok || before === undefined
      ? result
      : { ...result, hints: [...result.hints, `/back goes on to ${reader.show(before)}`] }
  },
})
