import { basename } from 'node:path'
import { type Data, type Failure, fail, LIMITS, ok, type Result } from '@string-os/protocol'
import { isFolder } from '../../files/files.ts'
import type { Place } from '../../files/workspace.ts'
import type { Reader } from '../../reading/reader.ts'
import { createMatcher, type Pattern } from '../../search/pattern.ts'
import type { FoundFile, Searched } from '../../search/search-task.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { type AskedToFind, foundSystem, foundText, isUnsearched, notSearched } from './found-text.ts'

export const findText = defineCommand({
  name: 'find',
  summary: 'Search the text of files',
  params: { text: 'required', path: 'optional' },
  flags: {
    regex: { type: 'boolean', summary: 'TEXT is a regular expression' },
    files: { type: 'boolean', summary: 'only which files: those that have it in their text or name' },
    context: { type: 'number', summary: `lines around each, at most ${LIMITS.foundContextLines}` },
    'ignore-case': { type: 'boolean', short: 'i', summary: 'small and capital letters are the same' },
  },
  body: 'none',
  details: [
    'Looks line by line through PATH, a folder or a file; without one through your working directory, else the folder of the open',
    'document, and in an app through the whole app, whose name is a PATH, too. What git ignores, `.git` and what is no text are left out; hidden files are not.',
    'Each line begins with a target that `/open`, `/edit` and `/replace` take. A name with braces is a variable here: search `[{]name}` with --regex.',
  ],
  examples: [
    "/find 'port: 8080'",
    '/find TODO src --context 2',
    "/find 'retry(Count|Limit)' ./src --regex",
    '/find invoice ~/notes --files',
  ],
  async run({ text, path, regex, files, context = 0, 'ignore-case': ignoreCase }, commandContext) {
    const pattern = { text, isRegex: regex, ignoreCase }
    const refused = refusePattern(pattern) ?? refuseLines(context)
    if (refused !== null) return refused
    const { reader } = commandContext
    const place = path === undefined ? reader.workspace.locate(reader.start) : await reader.locate(path, 'folder')
    if (!place.ok) return place
    const shown = path === undefined ? reader.showPath(place.path) : reader.shownPath(path, place.path)
    if (!place.exists) return reader.missing(shown)
    return search({ pattern, filesOnly: files, context, shown }, place, commandContext)
  },
})

async function search(
  asked: AskedToFind,
  place: Place,
  { reader, searcher, signal, deadline }: CommandContext,
): Promise<Result> {
  const limitMs = deadline - performance.now()
  const { workspace } = reader
  const searched = await searcher.search({ ...asked, place, workspace, signal, limitMs })
  if (!searched.ok) return searched
  if (!isFolder(place) && isUnsearched(searched.summary)) return notSearched(asked)
  const files = await Promise.all(searched.files.map((file) => spelled(file, reader)))
  const found = { ...searched, files }
  return ok(foundSystem(asked, found), foundText(asked, found), fields(asked, found))
}

/** A file by a name that means it and nothing else, whatever the open document links to. */
async function spelled(file: FoundFile, reader: Reader): Promise<FoundFile> {
  const { path } = file
  const inPackage = reader.nameInPackage(path)
  // A copy is only read; what a link leads to can be edited, by a name that means it there, too.
  const isRead = inPackage !== null && reader.own?.record.linked === false
  const names = isRead ? [inPackage, basename(path)] : [reader.workspace.spell(path)]
  for (const name of names) {
    const address = await reader.resolve(name)
    if (address.ok && address.kind === 'file' && address.place.path === path) return { ...file, path: name }
  }
  return file
}

function refusePattern(pattern: Pattern): Failure | null {
  const { text, isRegex } = pattern
  if (text === '' || /[\n\0]/.test(text))
    return fail('INVALID_PARAMS', 'TEXT is a part of one line', "For example: /find 'some words'")
  if (text.length > LIMITS.searchPatternChars)
    return fail('TOO_LARGE', `TEXT is longer than ${LIMITS.searchPatternChars} characters`, 'A part of it will do')
  const matcher = createMatcher(pattern)
  if (matcher.ok) return null
  return fail(
    'INVALID_PARAMS',
    `Not a regular expression: ${text} (${matcher.problem})`,
    isRegex ? 'Without --regex, TEXT is looked for as it stands' : 'Give another text',
  )
}

function refuseLines(context: number): Failure | null {
  if (context >= 0 && context <= LIMITS.foundContextLines) return null
  return fail(
    'INVALID_PARAMS',
    `--context takes 0 to ${LIMITS.foundContextLines}`,
    'A line can be opened: /open PATH:L5',
  )
}

function fields({ pattern, filesOnly, shown }: AskedToFind, { files, summary }: Searched): Data {
  const matches = files.flatMap(({ path, total, lines }): Data[] =>
    filesOnly
      ? [{ path, lines: total }]
      : lines.filter(({ isMatch }) => isMatch).map(({ number, text }) => ({ path, line: number, text })),
  )
  const { text, isRegex, ignoreCase } = pattern
  const sought = { text, regex: isRegex, ignore_case: ignoreCase }
  return {
    path: shown,
    pattern: sought,
    searched: summary?.files ?? null,
    complete: summary?.stopped === null,
    matches,
  }
}
