import { fail } from '@string-os/protocol'
import { defineCommand } from '../core/define.ts'
import { greet } from './app-entry.ts'
import { showRaw } from './open-address.ts'
import { FIRST_PAGE, showDocument } from './view.ts'

export const refresh = defineCommand({
  name: 'refresh',
  summary: 'Load the open document again',
  params: {},
  flags: {},
  body: 'none',
  details: [],
  examples: ['/refresh'],
  async run(_args, context) {
    const { session, reader } = context
    if (session.document === null)
      return fail('NO_DOCUMENT', 'No document is open in this topic', '/open TARGET opens one')
    const { address } = session.document
    const shown = reader.show(address)
    const loaded = await reader.reload(address)
    const system = `Refreshed ${shown}`
    if (!loaded.ok) return showRaw(system, address, loaded, context)
    return greet(showDocument(system, address, loaded, FIRST_PAGE, context, false), loaded, context)
  },
})
