import { join } from 'node:path'
import { fail, ok, type Result } from '@string-os/protocol'
import type { CommandContext } from '../session/context.ts'
import { isFolder, listFolder, notFound, readFile } from '../session/files.ts'
import type { Place } from '../session/workspace.ts'
import { defineCommand } from './define.ts'
import { listing, size } from './listing.ts'

const FOLDER_PAGES = ['string.md', 'index.md', 'README.md']

export const open = defineCommand({
  name: 'open',
  summary: 'Open a file or folder',
  params: { target: 'optional' },
  flags: {},
  body: 'none',
  details: ['A folder opens its `string.md`, `index.md` or `README.md`; without one it is listed.'],
  examples: ['/open ./README.md', '/open ~/notes/'],
  run({ target }, context) {
    if (target === undefined)
      return fail('USAGE', '/open needs a TARGET', 'Usage: /open TARGET, for example /open ./README.md')
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target))
      return fail('INVALID_TARGET', `Cannot open this kind of address: ${target}`, 'Give a path')
    const place = context.workspace.locate(target)
    if (!place.ok) return place
    if (!place.exists) return notFound(target)
    return isFolder(place) ? openFolder(place, target, context) : openFile(place, target, context)
  },
})

function openFolder(place: Place, target: string, context: CommandContext): Result {
  for (const name of FOLDER_PAGES) {
    const page = context.workspace.locate(join(place.path, name))
    if (page.ok && page.exists) return openFile(page, target, context)
  }
  const entries = listFolder(place, target, false)
  if ('code' in entries) return entries
  show(context, `${place.path}/`, target, place.path)
  return ok(`Opened ${target}`, listing(entries))
}

function openFile(place: Place, target: string, context: CommandContext): Result {
  const file = readFile(place, target)
  if (!file.ok) return file
  show(context, place.path, target, join(place.path, '..'))
  const text = file.bytes.includes(0) ? `(binary file, ${size(file.bytes.length)})` : file.bytes.toString('utf8')
  return ok(`Opened ${target}`, text)
}

function show({ session }: CommandContext, path: string, shown: string, folder: string): void {
  session.document = { uri: fileUri(path), title: null, block: null, shown, folder }
}

function fileUri(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`
}
