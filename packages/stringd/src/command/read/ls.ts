import { type Data, fail, LIMITS, ok } from '@string-os/protocol'
import { type Entry, isFolder, listFolder } from '../../files/files.ts'
import { listing } from '../../files/listing.ts'
import { defineCommand } from '../core/define.ts'

export const ls = defineCommand({
  name: 'ls',
  summary: 'List a folder',
  params: { path: 'optional' },
  flags: { all: { type: 'boolean', short: 'a', summary: 'hidden entries too' } },
  body: 'none',
  details: ['Without a path: your working directory, else the folder of the open document; in an app, its folder.'],
  examples: ['/ls', '/ls ~/notes', '/ls --all ./'],
  async run({ path, all }, { reader }) {
    const { workspace } = reader
    const place = path === undefined ? workspace.locate(reader.start) : await reader.locate(path, 'folder')
    if (!place.ok) return place
    const shown = path === undefined ? reader.showPath(place.path) : reader.shownPath(path, place.path)
    if (!place.exists) return reader.missing(shown)
    if (!isFolder(place)) return fail('INVALID_TARGET', `Not a folder: ${shown}`, `/open ${shown} reads it`)
    const entries = listFolder(place, shown, all, (link) => workspace.locate(link).ok)
    if (!entries.ok) return entries
    return ok(`Listing ${shown.replace(/\/*$/, '/')}`, listing(entries.items), fields(shown, entries.items))
  },
})

/** Only of a file the size says something. */
function entry({ name, kind, bytes }: Entry): Data {
  return { name, kind, bytes: kind === 'file' ? bytes : null }
}

function fields(path: string, entries: readonly Entry[]): Data {
  const listed = entries.slice(0, LIMITS.listedEntries)
  return { path, total: entries.length, entries: listed.map(entry) }
}
