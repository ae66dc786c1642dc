import { type Failure, fail, parseTopic, type Result, type Topic } from '@string-os/protocol'
import { splitLineRange } from '../../library/target.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { view } from '../edit/edit.ts'
import { TOPIC_KINDS } from '../topic-kinds.ts'
import { type OpenFlags, openAddress } from './open-address.ts'
import { openLines } from './open-lines.ts'

export const open = defineCommand({
  name: 'open',
  summary: 'Read a file, folder, web page, @shortcut or #block',
  params: { target: 'optional' },
  flags: {
    page: { type: 'number', short: 'p', summary: 'another page of a long document' },
    full: { type: 'boolean', summary: 'all of it at once (over MCP and in ChanFlow: if an answer has room for it)' },
    source: { type: 'boolean', summary: 'the raw text' },
    outline: { type: 'boolean', summary: 'its headings and blocks, with lines and sizes, to choose from' },
    edit: { type: 'boolean', summary: 'with line numbers, as /edit shows it' },
  },
  body: 'none',
  details: [
    'TARGET is a path, `path#block`, `#block` of the open document, `@shortcut`, an http(s) address, `app:NAME`, or a hub:',
    '`app`, `bash`, `tool`, `event`, `system`, `agent`. A heading can be addressed as a block by its slug.',
    '`path:L10-L60` shows lines of a file with their numbers, `path:L10` that line and those around it.',
    'A folder opens its `string.md`, `index.md` or `README.md`; without one it is listed.',
  ],
  examples: [
    '/open ./README.md',
    '/open ~/notes/meeting.md#decisions',
    '/open @authentication',
    '/open --page 2',
    '/open ./guide.md --outline',
    '/open system',
  ],
  redirect,
  async run({ target, page, full, source, outline, edit }, context) {
    if (edit && target !== undefined) {
      const found = await context.editor.target(target)
      return found.ok ? view(found, context) : found
    }
    const flags = { page, full, source, outline }
    if (target === undefined) return openCurrent(flags, context)
    const { openSelf } = TOPIC_KINDS[context.topic.type]
    if (openSelf !== undefined && target === context.topic.canonical) return openSelf(flags, context)
    const address = await context.reader.resolve(target)
    if (address.ok) return openAddress(address, context.reader.shownAs(target, address), flags, context)
    const lines = address.code === 'NOT_FOUND' ? splitLineRange(target) : null
    return lines === null ? ofTool(target, address, context) : openLines(lines, target, context)
  },
})

/** A tool has no topic that could be entered: it is called where one is. */
function ofTool(target: string, failure: Failure, { packages }: CommandContext): Failure {
  const [, name] = /^tool:(.+)$/s.exec(target) ?? []
  if (name === undefined || failure.code !== 'NOT_FOUND' || !packages.tools().some((tool) => tool.name === name))
    return failure
  return { ...failure, hints: [`/tool:${name} runs the tool, /tool:${name} --help shows how`] }
}

/** `/open app:x`, `/open bash:x` and `/open HUB` run in that topic, whatever topic they were sent to. */
function redirect(rest: string): Topic | null {
  const [word = ''] = rest.split(/\s/, 1)
  const topic = parseTopic(word)
  return topic !== null && TOPIC_KINDS[topic.type].openSelf !== undefined ? topic : null
}

/** Without a target: another view of the current document, or what the topic itself is. */
async function openCurrent(flags: OpenFlags, context: CommandContext): Promise<Result> {
  const { topic, session, reader } = context
  const { document } = session
  if (document !== null && (flags.page !== undefined || flags.full || flags.source || flags.outline)) {
    const source = flags.source || document.source
    return openAddress(document.address, reader.show(document.address), { ...flags, source }, context, false)
  }
  const { openSelf, opensBare } = TOPIC_KINDS[topic.type]
  if (openSelf !== undefined && opensBare === true) return openSelf(flags, context)
  return fail('USAGE', '/open needs a TARGET', 'Usage: /open TARGET, for example /open ./README.md')
}
