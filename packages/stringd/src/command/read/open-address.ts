import { type Failure, ok, type Result } from '@string-os/protocol'
import { readSource } from '../../files/files.ts'
import type { Address } from '../../library/address.ts'
import { openText } from '../../reading/open-document.ts'
import type { OpenDocument } from '../../session/session.ts'
import type { CommandContext } from '../core/context.ts'
import { greet } from './app-entry.ts'
import { openOutline } from './open-outline.ts'
import { FIRST_PAGE, noSuchPage, showDocument, showText, type View, withFooter } from './view.ts'

const NO_FACTS = { actions: [], menus: [], blocks: [], warnings: [] }

/** How `/open` was asked to show something. */
export interface OpenFlags {
  readonly page: number | undefined
  readonly full: boolean
  readonly source: boolean
  /** Its parts, and not its text. */
  readonly outline: boolean
}

/** Opens what stands at an address. `remember`: the document before can be gone back to. */
export async function openAddress(
  address: Address,
  typed: string,
  flags: OpenFlags,
  context: CommandContext,
  remember = !typed.startsWith('#'),
): Promise<Result> {
  if (flags.outline) return openOutline(address, typed, context, remember)
  const how: View = { page: flags.page ?? 1, atOnceBytes: flags.full ? context.atOnceBytes : 0 }
  if (flags.source && address.kind === 'file')
    return openSource(address, typed, how, context, (document) => context.session.show(document))
  const { reader } = context
  const loaded = await (remember ? reader.load(address, typed) : reader.view(address))
  if (!loaded.ok) return loaded
  if (flags.source) return showText(`Opened ${typed}`, loaded.page.document.text, how, NO_FACTS, () => undefined)
  const shown = showDocument(`Opened ${typed}`, address, loaded, how, context, remember)
  return remember && how.page === 1 ? greet(shown, loaded, context) : shown
}

/** A file that was open before and is too large to be a document is shown again as it was: by its raw text. */
export function showRaw(system: string, address: Address, failure: Failure, context: CommandContext): Result {
  const { reader, session } = context
  if (failure.code !== 'TOO_LARGE' || address.kind !== 'file') return failure
  const place = reader.workspace.locate(address.place.path)
  if (!place.ok) return place
  const show = (document: OpenDocument): void => {
    session.document = document
  }
  return openSource({ ...address, place }, reader.show(address), FIRST_PAGE, context, show, system)
}

/** The raw text of a file, which may be too large or too odd to be read as a document. */
function openSource(
  address: Address & { kind: 'file' | 'folder' },
  typed: string,
  { page, atOnceBytes }: View,
  { session }: CommandContext,
  show: (document: OpenDocument) => void,
  system = `Opened ${typed}`,
): Result {
  const { place } = address
  const isWhole = atOnceBytes > 0 && (place.stat?.size ?? 0) <= atOnceBytes
  const source = readSource(place, typed, isWhole ? null : page)
  if (!source.ok) return source
  if (source.text === null) return noSuchPage(page, source.pages)
  session.hasRead(place)
  show(openText({ ...address, block: null }, { source: true, page, pages: source.pages }))
  if (isWhole) return { ...ok(system, source.text), isWhole }
  return ok(system, source.pages === 1 ? source.text : withFooter(source.text, page, source.pages))
}
