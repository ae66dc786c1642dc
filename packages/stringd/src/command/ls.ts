import { type Data, fail, LIMITS, ok } from '@string-os/protocol'
import { type Entry, isFolder, listFolder, notFound } from '../files/files.ts'
import { listing } from '../files/listing.ts'
import { defineCommand } from './define.ts'

export const ls = defineCommand({
  name: 'ls',
  summary: 'List a folder',
  params: { path: 'optional' },
  flags: { all: { type: 'boolean', short: 'a', summary: 'hidden entries too' } },
  body: 'none',
  details: ['Without a path: the folder of the open document, or your working directory or home.'],
  examples: ['/ls', '/ls ~/notes', '/ls --all ./'],
  run({ path, all }, { workspace }) {
    const place = workspace.locate(path ?? workspace.start)
    if (!place.ok) return place
    const shown = path ?? workspace.show(place.path)
    if (!place.exists) return notFound(shown)
    if (!isFolder(place)) return fail('INVALID_TARGET', `Not a folder: ${shown}`, `/open ${shown} reads it`)
    const entries = listFolder(place, shown, all, (link) => workspace.locate(link).ok)
    if ('code' in entries) return entries
    return ok(`Listing ${shown.replace(/\/*$/, '/')}`, listing(entries), fields(shown, entries))
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
