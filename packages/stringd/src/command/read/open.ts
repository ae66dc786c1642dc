import { fail, isHub, ok, parseTopic, type Result, type Topic } from '@string-os/protocol'
import { readSource } from '../../files/files.ts'
import type { Address } from '../../library/address.ts'
import { openText } from '../../reading/open-document.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { view } from '../edit/edit.ts'
import { greet } from './app-entry.ts'
import { noSuchPage, showDocument, showText, type View, withFooter } from './view.ts'

const NO_FACTS = { actions: [], menus: [], blocks: [], warnings: [] }

interface Flags {
  readonly page: number | undefined
  readonly full: boolean
  readonly source: boolean
}

export const open = defineCommand({
  name: 'open',
  summary: 'Read a file, folder, web page, @shortcut or #block',
  params: { target: 'optional' },
  flags: {
    page: { type: 'number', short: 'p', summary: 'another page of a long document' },
    full: { type: 'boolean', summary: 'all of it at once (over MCP and in ChanFlow: if an answer has room for it)' },
    source: { type: 'boolean', summary: 'the raw text' },
    edit: { type: 'boolean', summary: 'with line numbers, as /edit shows it' },
  },
  body: 'none',
  details: [
    'TARGET is a path, `path#block`, `#block` of the open document, `@shortcut`, an http(s) address, `app:NAME`, or a hub:',
    '`app`, `bash`, `tool`, `event`, `system`, `agent`. A heading can be addressed as a block by its slug.',
    'A folder opens its `string.md`, `index.md` or `README.md`; without one it is listed.',
  ],
  examples: [
    '/open ./README.md',
    '/open ~/notes/meeting.md#decisions',
    '/open @authentication',
    '/open --page 2',
    '/open system',
  ],
  redirect,
  async run({ target, page, full, source, edit }, context) {
    if (edit && target !== undefined) {
      const found = await context.editor.target(target)
      return found.ok ? view(found, context) : found
    }
    const flags = { page, full, source }
    if (target === undefined) return openCurrent(flags, context)
    if (context.topic.canonical === target && isHub(target))
      return openAddress({ ok: true, kind: 'hub', hub: target, block: null }, target, flags, context)
    if (target === context.topic.canonical && context.topic.type === 'app') return openApp(flags, context)
    if (target.startsWith('bash:')) return ok(`Opened ${target}`, shellPage(context))
    const address = await context.reader.resolve(target)
    return address.ok ? openAddress(address, target, flags, context) : address
  },
})

/** A bash topic has no document: how its shell stands takes its place. */
function shellPage({ shell }: CommandContext): string {
  const info = shell.info()
  if (info === null) return 'No shell runs here yet. Send a command to start one; //help tells more.'
  return `cwd: ${info.cwd}\nrunning: ${info.running?.command ?? '(nothing)'}`
}

/** `/open app:x`, `/open bash:x` and `/open HUB` run in that topic, whatever topic they were sent to. */
function redirect(rest: string): Topic | null {
  const [word = ''] = rest.split(/\s/, 1)
  return /^(app|bash):/.test(word) || isHub(word) ? parseTopic(word) : null
}

/** Without a target: another view of the current document, or the page of a hub. */
async function openCurrent(flags: Flags, context: CommandContext): Promise<Result> {
  const { topic, session, reader } = context
  const { document } = session
  if (document !== null && (flags.page !== undefined || flags.full || flags.source)) {
    const source = flags.source || document.source
    return openAddress(document.address, reader.show(document.address), { ...flags, source }, context, false)
  }
  if (isHub(topic.canonical))
    return openAddress({ ok: true, kind: 'hub', hub: topic.canonical, block: null }, topic.canonical, flags, context)
  if (topic.type === 'app') return openApp(flags, context)
  return fail('USAGE', '/open needs a TARGET', 'Usage: /open TARGET, for example /open ./README.md')
}

/** The document that the topic's app begins with. */
async function openApp(flags: Flags, context: CommandContext): Promise<Result> {
  const address = context.reader.entry()
  return address.ok ? openAddress(address, context.topic.canonical, flags, context) : address
}

async function openAddress(
  address: Address,
  typed: string,
  flags: Flags,
  context: CommandContext,
  remember = !typed.startsWith('#'),
): Promise<Result> {
  const how: View = { page: flags.page ?? 1, atOnceBytes: flags.full ? context.atOnceBytes : 0 }
  if (flags.source && address.kind === 'file') return openSource(address, typed, how, context)
  const { reader } = context
  const loaded = await (remember ? reader.load(address, typed) : reader.view(address))
  if (!loaded.ok) return loaded
  if (flags.source) return showText(`Opened ${typed}`, loaded.page.document.text, how, NO_FACTS, () => undefined)
  const shown = showDocument(`Opened ${typed}`, address, loaded, how, context, remember)
  return remember && how.page === 1 ? greet(shown, loaded, context) : shown
}

/** The raw text of a file, which may be too large or too odd to be read as a document. */
function openSource(
  address: Address & { kind: 'file' | 'folder' },
  typed: string,
  { page, atOnceBytes }: View,
  { session }: CommandContext,
): Result {
  const { place } = address
  const isWhole = atOnceBytes > 0 && (place.stat?.size ?? 0) <= atOnceBytes
  const source = readSource(place, typed, isWhole ? null : page)
  if (!source.ok) return source
  if (source.text === null) return noSuchPage(page, source.pages)
  session.hasRead(place)
  session.show(openText({ ...address, block: null }, { source: true, page, pages: source.pages }))
  if (isWhole) return { ...ok(`Opened ${typed}`, source.text), isWhole }
  return ok(`Opened ${typed}`, source.pages === 1 ? source.text : withFooter(source.text, page, source.pages))
}
