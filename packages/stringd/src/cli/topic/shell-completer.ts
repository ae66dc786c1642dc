import { readFileSync } from 'node:fs'
import { access, constants, readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { type CompletionItem, type CompletionView, LIMITS, matching } from '@string-os/protocol'
import { homeFolder, ownEnvironment } from '../../config.ts'
import { programWords } from './program-words.ts'
import { BASH_WORDS, namesMadeIn } from './shell-names.ts'
import { type Quote, readPiece, type TypedShellWord, wordAtEnd, writtenName } from './word-in-line.ts'

export interface ShellCompleter {
  readonly complete: (text: string, cwd: string) => Promise<CompletionView>
  /** What a line that ran has made known. */
  readonly learn: (line: string) => void
}

/** These take folders alone. */
const ENTERING = new Set(['cd', 'pushd', 'rmdir'])
const STARTUP = ['.bashrc', '.bash_aliases']

/**
 * Completes lines for a shell as that would: from the folders and the environment that a person has here. The shell itself is
 * never asked, because what it is asked would stand between the person's own commands.
 */
export function shellCompleter(environment = ownEnvironment(), home = homeFolder()): ShellCompleter {
  const variables = new Map(Object.entries(environment))
  const names = new Set(variables.keys())
  const commands = new Set(BASH_WORDS)
  const learn = (script: string): void => {
    const made = namesMadeIn(script)
    for (const name of made.commands) commands.add(name)
    for (const name of made.variables) {
      names.add(name)
      // What it says from now on is the shell's to know.
      variables.delete(name)
    }
  }
  for (const name of STARTUP) for (const made of namesMadeIn(startupText(join(home, name))).commands) commands.add(made)
  return {
    learn,
    complete: async (text, cwd) => {
      const line = text.slice(text.lastIndexOf('\n') + 1)
      const before = text.length - line.length
      const found = await itemsFor(wordAtEnd(line), cwd, { home, variables, names, commands })
      const items = found.items.filter(({ text: each }) => each.isWellFormed() && !/\p{Cc}/u.test(each))
      return {
        from: before + found.from,
        items: items.slice(0, LIMITS.completions),
        total: items.length,
        usage: null,
      }
    },
  }
}

interface Known {
  readonly home: string
  /** Those of which it is known what they say. */
  readonly variables: ReadonlyMap<string, string>
  readonly names: ReadonlySet<string>
  readonly commands: ReadonlySet<string>
}

interface Found {
  readonly from: number
  readonly items: readonly CompletionItem[]
}

async function itemsFor(word: TypedShellWord, cwd: string, known: Known): Promise<Found> {
  const { raw, start, isCommand } = word
  const variable = variableItems(word, known)
  if (variable !== null) return variable
  if (!isCommand) return argumentItems(word, cwd, known)
  if (raw.includes('/') || raw.startsWith('~')) return pathItems(word, cwd, known)
  if (raw === '') return { from: start, items: [] }
  const names = new Set([...known.commands, ...(await programs(known.variables.get('PATH') ?? ''))])
  const items = [...matching([...names], raw, (name) => name)].sort()
  return { from: start, items: items.map((text) => ({ text, kind: 'command', about: null })) }
}

/** What the program knows comes before files, and what only holds what is typed after them. */
async function argumentItems(word: TypedShellWord, cwd: string, known: Known): Promise<Found> {
  const { raw, start, command, words } = word
  const names = command === null || words === null ? [] : await programWords(command, words, cwd)
  const begun = names.filter((name) => name.startsWith(raw))
  const files = begun.length > 0 ? null : await pathItems(word, cwd, known)
  if (files !== null && files.items.length > 0) return files
  const items = matching(names, raw, (name) => name)
  return { from: start, items: items.map((text) => ({ text, kind: 'command', about: null })) }
}

/** `$HO`, `${HO`; null where no variable is being typed. */
function variableItems({ raw, start }: TypedShellWord, { names, variables }: Known): Found | null {
  const typed = /(?<!\\)\$(\{?)((?:[A-Za-z_]\w*)?)$/.exec(raw)
  if (typed === null || readPiece(raw.slice(0, typed.index), '', variables)?.open === "'") return null
  const [, brace = '', begun = ''] = typed
  const typeable = [...names].filter((name) => /^\w+$/.test(name))
  const found = [...matching(typeable, begun, (name) => name)].sort()
  const items = found.map((name) => ({ text: brace === '' ? `$${name}` : `\${${name}}`, about: null }))
  return { from: start + typed.index, items: items.map((item) => ({ ...item, kind: 'variable' })) }
}

/** What stands in the folder that is typed; only its last part is completed, so that the rest stays as it was typed. */
async function pathItems(
  { raw, start, isCommand, command }: TypedShellWord,
  cwd: string,
  known: Known,
): Promise<Found> {
  const at = raw.lastIndexOf('/') + 1
  const from = start + at
  if (raw === '~') return { from, items: [folder('~/')] }
  const way = wayOf(raw.slice(0, at), known)
  const name = way === null ? null : readPiece(raw.slice(at), way.open, known.variables)
  if (way === null || name === null) return { from, items: [] }
  const isInside = way.open !== ''
  // A quote that ends within the name would have to be opened again.
  if (isInside && name.open !== way.open) return { from, items: [] }
  const dir = resolve(cwd, way.text)
  const wants = { begun: name.text, isFolder: ENTERING.has(command ?? ''), isProgram: isCommand }
  const entries = await entriesOf(dir, wants)
  const items = entries.flatMap((entry) => written(entry, isInside ? way.open : ''))
  return { from, items: name.text === '..' && !isInside ? [folder('../'), ...items] : items }
}

function wayOf(typed: string, { variables, home }: Known): ReturnType<typeof readPiece> {
  if (!typed.startsWith('~')) return readPiece(typed, '', variables)
  // Whose home another name means is not known here.
  if (!typed.startsWith('~/')) return null
  const below = readPiece(typed.slice(1), '', variables)
  return below === null ? null : { ...below, text: `${home}${below.text}` }
}

function folder(text: string): CompletionItem {
  return { text, kind: 'folder', about: null }
}

interface Entry {
  readonly name: string
  readonly isFolder: boolean
}

interface Wanted {
  readonly begun: string
  readonly isFolder: boolean
  readonly isProgram: boolean
}

async function entriesOf(dir: string, { begun, isFolder, isProgram }: Wanted): Promise<readonly Entry[]> {
  // What cannot be read is not completed: the command itself will say why.
  const all = await readdir(dir, { withFileTypes: true }).catch(() => [])
  const seen = all.filter(({ name }) => begun.startsWith('.') || !name.startsWith('.'))
  const entries = await Promise.all(
    seen.map(async (entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(join(dir, entry.name)))),
    })),
  )
  const fitting = isFolder ? entries.filter((entry) => entry.isFolder) : entries
  const wanted = matching(fitting, begun, ({ name }) => name)
  const runs = await Promise.all(
    wanted.map(async (each) => !isProgram || each.isFolder || (await mayRun(join(dir, each.name)))),
  )
  return wanted.filter((_, index) => runs[index]).sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function leadsToFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (there) => there.isDirectory(),
    () => false,
  )
}

async function mayRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

function written({ name, isFolder }: Entry, open: Quote): readonly CompletionItem[] {
  const text = writtenName(name, open)
  if (text === null) return []
  return isFolder ? [folder(`${text}/`)] : [{ text: `${text}${open}`, kind: 'file', about: null }]
}

async function programs(path: string): Promise<readonly string[]> {
  const dirs = [...new Set(path.split(':'))].filter((dir) => isAbsolute(dir))
  const listed = await Promise.all(dirs.map((dir) => readdir(dir).catch(() => [])))
  return listed.flat()
}

function startupText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Most have one of them at most.
    return ''
  }
}
