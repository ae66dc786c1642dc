import type { Failure } from '@string-os/protocol'
import type { PageAction } from '../../document/page.ts'
import { type Base, isSameAddress } from '../../library/address.ts'
import type { CommandContext } from '../core/context.ts'

export type Actions = ReadonlyMap<string, PageAction<Base>>

/** What can be called in a topic. What the shown page has comes before what the first page of the app has. */
export interface CallableActions {
  readonly ok: true
  readonly all: Actions
  /** Of those, what only the first page of the topic's own app has. */
  readonly ofApp: Actions
}

/** `asked`: what they are needed for. */
export async function callableActions(asked: string, context: CommandContext): Promise<CallableActions | Failure> {
  const current = await context.reader.current(asked)
  return current.ok ? withActionsOfApp(current.loaded.index.actions, context) : current
}

/** The same where nobody outside is asked for anything. */
export async function actionsAtHand(context: CommandContext): Promise<CallableActions> {
  const shown = await context.reader.atHand()
  return withActionsOfApp(shown?.index.actions ?? new Map(), context)
}

async function withActionsOfApp(shown: Actions, context: CommandContext): Promise<CallableActions> {
  const first = await firstPageActions(context)
  const ofApp = new Map([...first].filter(([id]) => !shown.has(id)))
  return { ok: true, all: new Map([...shown, ...ofApp]), ofApp }
}

/** Of a page from the web that is only linked none: it would have to be asked for. */
async function firstPageActions({ topic, reader, session }: CommandContext): Promise<Actions> {
  const current = session.document?.address
  const entry = topic.type === 'app' ? reader.entry() : null
  if (current === undefined || entry?.ok !== true || entry.kind === 'web' || isSameAddress(current, entry))
    return new Map()
  const loaded = await reader.load(entry, reader.show(entry))
  return loaded.ok ? loaded.index.actions : new Map()
}
