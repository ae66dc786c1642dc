import type { CommandContext } from '../core/context.ts'
import { FIRST_PAGE, showDocument } from './view.ts'

/** The first command in an app topic finds the app's document open. Where that fails, the command says so itself. */
export async function enterApp(context: CommandContext): Promise<void> {
  const { packages, reader, session } = context
  if (session.document !== null || packages.own === null) return
  const address = reader.entry()
  if (!('kind' in address)) return
  const loaded = await reader.load(address, reader.show(address))
  if (loaded.ok) showDocument('', address, loaded, FIRST_PAGE, context)
}
