import { type Result, replyBody, type Success, visibleLine } from '@string-os/protocol'
import { placeText } from '../../document/place-text.ts'
import { isInside } from '../../files/workspace.ts'
import { isSameAddress } from '../../library/address.ts'
import type { Loaded } from '../../library/library.ts'
import { renaming } from '../../packages/name-conflict.ts'
import { judgeAbout } from '../../packages/source/about.ts'
import { fullName, type PackageRecord } from '../../packages/state/package-record.ts'
import type { Session } from '../../session/session.ts'
import { describeAction } from '../act/describe-action.ts'
import { runAction } from '../act/run-action.ts'
import type { CommandContext } from '../core/context.ts'
import { followInstallation } from './follow-installation.ts'
import { FIRST_PAGE, showDocument } from './view.ts'

/** The first command in an app topic finds the app's document open. Where that fails, the command says so itself. */
export async function enterApp(context: CommandContext): Promise<void> {
  const { packages, reader, session } = context
  const moved = followInstallation(context)
  if (session.document !== null || packages.own === null) return
  const address = moved ?? reader.entry()
  if (!address.ok) return
  const loaded = await reader.load(address, reader.show(address))
  if (loaded.ok) showDocument('', address, loaded, FIRST_PAGE, context)
}

/** What an installed app says when its document is opened or refreshed: what it lacks, and what its default action prints; on its other pages, what is refused. */
export async function greet(shown: Result, loaded: Loaded, context: CommandContext): Promise<Result> {
  const { own } = context.reader
  if (!shown.ok || own === null || own.folder === null) return shown
  if (!isEntry(context)) return isOfApp(own.folder, context) ? below(shown, refusals(loaded)) : shown
  const missing = context.packages.missing(own).map(({ name, description }) => {
    const about = description === null ? '' : ` (${description})`
    return `Not set: $${name}${about} · /set $${name} = "value"`
  })
  const output = await runDefault(own.record.default, loaded, context)
  const isSaid = output?.code === 'ENV_REQUIRED' && missing.length > 0
  return below(shown, [...missing, ...notTakenOver(own.record, loaded), ...refusals(loaded)], isSaid ? null : output)
}

/** What is no page is indented below one, as Markdown has text that stays as it is: each line by itself, for the middle may be cut. */
function below(shown: Success, notes: readonly string[], output: Result | null = null): Result {
  const isPage = output?.ok === true && output.isMarkdown === true
  const said = output === null ? '' : textOf(output)
  const parts = [indented([...notes, ...(isPage ? [] : [said])]), isPage ? said : ''].filter((part) => part !== '')
  if (parts.length === 0) return shown
  return { ...shown, content: `${(shown.content ?? '').replace(/\n+$/, '')}\n\n---\n${parts.join('\n\n')}` }
}

function indented(texts: readonly string[]): string {
  const lines = texts.filter((text) => text !== '').flatMap((text) => text.split('\n'))
  return lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
}

/** Of a linked app the front matter counts as it was installed, whatever it says now. */
function notTakenOver(record: PackageRecord, { page, index }: Loaded): string[] {
  const { unread } = page.document.frontMatter
  if (!record.linked) return []
  if (unread !== undefined) return [visibleLine(`${record.entry}:${unread.line}: ${unread.message}. ${unread.next}`)]
  const now = judgeAbout(page.document, new Map([...index.actions].map(([id, { source }]) => [id, source]))).about
  const name = now.name ?? record.name
  const [before, after] = [fullName(record), fullName({ namespace: now.namespace, name })]
  if (before !== after)
    return [`Its name has changed from ${before} to ${after} since it was installed:`, ...renaming(record)]
  const [was, is] = [record, now].map(({ needs, default: initial, version, title, description }) =>
    JSON.stringify([needs, initial, version, title, description]),
  )
  if (was === is) return []
  return [`Its front matter has changed since it was installed: /install --update ${record.local} takes it over`]
}

/** What its author finds out here need not be looked for. */
function refusals({ index }: Loaded): string[] {
  return [...index.actions].flatMap(([id, action]) => {
    const read = describeAction(action)
    return read.ok ? [] : [visibleLine(`/act.${id} (refused, ${placeText(read)}: ${read.problem}. ${read.instead})`)]
  })
}

function isOfApp(folder: string, { session }: CommandContext): boolean {
  const address = session.document?.address
  return address?.kind === 'file' && isInside(folder, address.place.path)
}

function isEntry({ session, reader }: CommandContext): boolean {
  const entry = reader.entry()
  return session.document !== null && entry.ok && isSameAddress(session.document.address, entry)
}

function runDefault(id: string | null, { index }: Loaded, context: CommandContext): Promise<Result> | null {
  const action = id === null ? undefined : index.actions.get(id)
  if (action === undefined) return null
  const call = { action, line: '', powers: context.powers(action.base) }
  return keepingDocument(context.session, () => runAction(call, context))
}

function textOf(result: Result): string {
  return result.ok ? (result.content ?? result.system ?? '') : replyBody(result)
}

/** Runs something that may open a document, and goes back to the one that was open. */
export async function keepingDocument<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const { document, mode } = session
  const history = [...session.history]
  try {
    return await work()
  } finally {
    session.document = document
    session.mode = mode
    session.history.splice(0, session.history.length, ...history)
  }
}
