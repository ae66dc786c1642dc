import { EXIT, OWN_EXITS } from './exit.ts'
import { GLOBAL_FLAGS } from './global-flags.ts'
import { asCalled } from './program-name.ts'
import { type Example, type FlagText, type Program, type SubverbRow, VERB_GROUPS, type VerbRow } from './verb-row.ts'

const COLUMNS = 80

/** Help for a window that is narrower than it was written for: lines are broken between words. */
export function fitHelp(text: string): string {
  const { isTTY, columns } = process.stdout
  return isTTY && columns > 0 && columns < COLUMNS ? narrowed(text, columns) : text
}

/** What a person reads at a terminal is broken between words; in a pipe lines stay whole. */
export function fitLines(text: string, { isTTY, columns }: NodeJS.WriteStream): string {
  return isTTY && columns > 0 ? narrowed(text, columns) : text
}

const INDENT = 4

/** The same for a width. */
export function narrowed(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => narrowedLine(line, width))
    .join('\n')
}

function narrowedLine(line: string, width: number): string[] {
  if (line.length <= width) return [line]
  const [lead = ''] = /^ */.exec(line) ?? []
  const rows: string[] = []
  // Columns that do not fit are none: what stood beside a name stands behind it.
  for (const word of line.trim().split(/ +/)) {
    const last = rows.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) rows[rows.length - 1] = `${last} ${word}`
    else rows.push(`${rows.length === 0 ? lead : ' '.repeat(INDENT)}${word}`)
  }
  return rows
}

/** In few lines; the man page says more of each. */
const FLAGS = [
  'Flags:',
  '  --agent ID, --create   speak for that agent; make it when there is none',
  '  --topic T, --cwd DIR   a topic, also one called like a verb; where ./ starts',
  '  --json, --plain        data for programs; the answer without its envelope',
  '  --port N, --wait SECS  port of the daemon; when a bash topic answers running',
  '  --help, --version      behind a verb, too; --no-pager: no stop at a prompt',
  'They stand before a command or behind all of it; -- ends them.',
]

/** What `string --help` shows: every verb in a line. */
export function overview({ name, verbs }: Program): string {
  const listed = verbs.filter(({ hidden, toldBy }) => hidden !== true && toldBy === undefined)
  const groups = VERB_GROUPS.flatMap((group) => {
    const rows = listed.filter((row) => row.group === group)
    return rows.length === 0
      ? []
      : [
          `${group}:`,
          ...columns(
            rows.map((row) => [row.name, row.summary]),
            13,
          ),
        ]
  })
  const text = [
    'string: one text surface for AI agents',
    "  string TOPIC 'COMMAND'  run a command; string 'COMMAND' runs it in topic main",
    '  string [TOPIC]          a prompt; string TOPIC - reads it from standard input',
    ...groups,
    ...FLAGS,
    'string help VERB shows more of one, string main /help the commands of topics.',
    exitSentence(OWN_EXITS, ', above 128 a signal'),
  ]
  return asCalled(`${text.join('\n')}\n`, name)
}

/** What `string help VERB [SUBVERB]` shows. */
export function verbHelp(row: VerbRow, sub: SubverbRow | null, program: string): string {
  const shown = sub ?? row
  const title = sub === null ? row.name : `${row.name} ${sub.name}`
  const subverbs =
    sub === null
      ? columns(
          (row.subverbs ?? []).map(({ name, summary }) => [name, summary]),
          0,
        )
      : []
  const own = sub === null ? (row.flags ?? []) : [...(sub.flags ?? []), ...(row.flags ?? [])]
  const flags = [...own, ...sharedFlags(row, shown.usage, own)]
  const parts = [
    [`string ${title}: ${shown.summary}`],
    shown.usage.map((line) => `  string ${line}`),
    [...(shown.about ?? [])],
    subverbs,
    flagLines(flags),
    exampleLines(examplesOf(row, sub)),
    exitLines(row),
  ]
  const text = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return asCalled(`${text.join('\n\n')}\n`, program)
}

/** Flags of `string` that mean something to a verb which says nothing of its own about them. */
function sharedFlags(row: VerbRow, usage: readonly string[], own: readonly FlagText[]): readonly FlagText[] {
  if (row.ownFlags === true || row.isText === true) return []
  const named = GLOBAL_FLAGS.filter((flag) => usage.some((line) => line.includes(`[${flagName(flag)}]`)))
  const shared: readonly FlagText[] = [
    ...(row.usage.some((line) => line.includes('[AGENT]'))
      ? [{ name: 'agent', value: 'ID', summary: 'the same as AGENT' }]
      : []),
    ...named,
    { name: 'json', summary: 'the same as data, for programs' },
  ]
  return shared.filter(({ name }) => own.every((flag) => flag.name !== name))
}

/** How a verb is written, below what was wrong with it; of one that does many things, none of them says more than help. */
export function usageLines(called: { readonly row: VerbRow; readonly sub: SubverbRow | null } | null): string[] {
  const usage = called === null ? [] : (called.sub ?? called.row).usage
  return usage.length > MOST_USAGES ? [] : usage.map((line, at) => `${at === 0 ? 'Usage:' : '      '} string ${line}`)
}

const MOST_USAGES = 2

function examplesOf({ examples, name }: VerbRow, sub: SubverbRow | null): readonly Example[] {
  if (sub === null) return examples
  return sub.examples ?? examples.filter(({ line }) => line.startsWith(`${name} ${sub.name}`))
}

function exampleLines(examples: readonly Example[]): string[] {
  if (examples.length === 0) return []
  const width = Math.max(...examples.map(({ line }) => line.length))
  const fits = examples.every(({ does }) => '  string '.length + width + ' # '.length + does.length <= COLUMNS)
  const lines = examples.flatMap(({ line, does }) =>
    fits ? [`  string ${line.padEnd(width)} # ${does}`] : [`  # ${does}`, `  string ${line}`],
  )
  return ['Examples:', ...lines]
}

function flagLines(flags: readonly FlagText[]): string[] {
  return columns(
    flags.map((flag) => [flagName(flag), flag.summary]),
    0,
  )
}

/** As it is written: `-m, --message TEXT`. */
export function flagName({ name, short, value }: FlagText): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
}

function columns(rows: readonly (readonly [string, string])[], least: number): string[] {
  const width = Math.max(least, ...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
}

/** Every status that a verb ends with, each once. */
export function exitTexts(row: VerbRow): readonly (readonly [number, string])[] {
  const { exits = [], daemon } = row
  const all = new Map([
    ...OWN_EXITS.filter(([status]) => daemon !== 'none' || status !== EXIT.unreachable),
    ...(namesAgent(row) ? [[EXIT.commandError, 'it failed, or no such agent'] as const] : []),
    ...exits.map(({ status, when }) => [status, when] as const),
  ])
  return [...all].sort(([one], [other]) => one - other)
}

function namesAgent({ takes, subverbs = [] }: VerbRow): boolean {
  return [takes, ...subverbs.map((sub) => sub.takes)].some((each) => each === 'agent' || each === 'talker')
}

function exitLines(row: VerbRow): string[] {
  return wrapped(exitSentence(exitTexts(row)))
}

function exitSentence(texts: ReturnType<typeof exitTexts>, more = ''): string {
  return `Exit status: ${texts.map(([status, when]) => `${status} ${when}`).join(', ')}${more}.`
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > COLUMNS) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
