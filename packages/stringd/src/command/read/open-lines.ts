import { type Failure, fail, LIMITS, ok, type Result } from '@string-os/protocol'
import { fileIn } from '../../files/files.ts'
import { readLines } from '../../files/read-lines.ts'
import type { Place } from '../../files/workspace.ts'
import type { Address } from '../../library/address.ts'
import type { WithLines } from '../../library/target.ts'
import { openText } from '../../reading/open-document.ts'
import type { CommandContext } from '../core/context.ts'
import { numbered, numberedFrom } from '../edit/edit.ts'

/** Lines of a file with their numbers; one alone with those around it. From now on the topic has seen the file. */
export async function openLines(
  { path, from, to }: WithLines,
  target: string,
  context: CommandContext,
): Promise<Result> {
  const { editor, session, reader } = context
  const address = path === '' ? currentFile(context) : await reader.resolve(path)
  if (!address.ok) return address
  if (address.kind !== 'file' || address.block !== null || address.isPage) return reader.missing(target)
  const typed = reader.shownAs(path, address) + target.slice(path.length)
  const source = await editor.read({ ok: true, place: address.place, part: { kind: 'lines', from, to }, shown: typed })
  if (!source.ok && source.code === 'TOO_LARGE') return openFarLines({ path, from, to }, typed, address, context)
  if (!source.ok) return source
  session.mode = null
  session.show(openText(address, { source: true }))
  const around = from === to ? LIMITS.openedAroundLines : 0
  const first = Math.max(0, source.from - around)
  const last = Math.min(source.lines.length, source.from + source.count + around)
  return ok(`Opened ${typed}`, numbered({ lines: source.lines, from: first, count: last - first }, typed))
}

/** Lines of a file that is too large to be edited, or to be read as a whole. */
async function openFarLines(
  { from, to }: WithLines,
  typed: string,
  address: Parameters<typeof openText>[0] & { readonly place: Place },
  { session }: CommandContext,
): Promise<Result> {
  const around = from === to ? LIMITS.openedAroundLines : 0
  const first = Math.max(1, from - around)
  const found = await readLines(address.place, typed, { from: first, to, last: to + around })
  if (!found.ok) return found
  session.mode = null
  session.show(openText(address, { source: true }))
  return ok(`Opened ${typed}`, numberedFrom(found.texts, first, around === 0 ? to : 0, fileIn(typed)))
}

/** `:L5` of the open document; its file passes the guard again. */
function currentFile({ session, reader }: CommandContext): Address | Failure {
  const { document } = session
  if (document === null)
    return fail('NO_DOCUMENT', 'No document is open in this topic', '/open PATH:L5 shows a line of a file')
  const { address } = document
  if (address.kind !== 'file')
    return fail('INVALID_TARGET', `Only a file has lines: ${reader.show(address)}`, '/open --source shows its text')
  const place = reader.workspace.locate(address.place.path)
  return place.ok ? { ok: true, kind: 'file', place, block: null } : place
}
