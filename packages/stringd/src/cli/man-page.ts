import { VARIABLES } from '../config.ts'
import { EXIT_TEXTS } from './exit.ts'
import { GLOBAL_FLAGS } from './global-flags.ts'
import { exitTexts, flagName } from './help.ts'
import { type Example, type FlagText, type SubverbRow, VERB_GROUPS, type VerbRow } from './verb-row.ts'

/** The manual page, in the language of man(7). */
export function manPage(verbs: readonly VerbRow[], version: string): string {
  const listed = verbs.filter(({ hidden }) => hidden !== true)
  const lines = [
    `.TH STRING 1 "" "String ${text(version)}" "User Commands"`,
    '.SH NAME',
    text('string, strg - one text surface for AI agents'),
    '.SH SYNOPSIS',
    ...["TOPIC 'COMMAND'", "'COMMAND'", 'TOPIC -', '[TOPIC]', 'VERB [ARGUMENT]…'].flatMap((line) => synopsis(line)),
    '.SH DESCRIPTION',
    text(
      'Runs a command in a topic, or does what a verb says. Without a topic a command runs in main; with - it comes',
    ),
    text('from standard input, with its body. Where a person types, string and string TOPIC are a prompt. The daemon,'),
    text(
      'stringd, is started when it is needed and not running. strg is the same program: in fish, string is a builtin.',
    ),
    '.PP',
    text('A word that is nearly a verb is refused, unless a command follows or a topic of that name is open; --topic'),
    text('says that a topic is meant. string main /help lists the commands of topics.'),
    '.SH OPTIONS',
    ...flagList(GLOBAL_FLAGS),
    '.PP',
    text(
      'They stand before a command or behind all of it; one in the middle of a command is refused. A line for a shell',
    ),
    text(
      'that is typed without quotes (in a bash topic, or behind /exec) has every flag behind its first word for itself.',
    ),
    text('-- ends the flags of string: string main -- /act.deploy --port 80 gives the action its own --port.'),
    ...VERB_GROUPS.flatMap((group) => [
      `.SH ${text(group).toUpperCase()}`,
      ...listed.filter((row) => row.group === group).flatMap(verbLines),
    ]),
    '.SH ENVIRONMENT',
    ...VARIABLES.flatMap(({ name, about }) => term(name, about)),
    '.SH FILES',
    ...term('~/.string/daemon', 'the data folder: what is kept, config.yaml, channels.yaml, env, daemon.log'),
    ...term('~/.string/agents', 'homes of agents that were given none'),
    '.SH EXIT STATUS',
    ...EXIT_TEXTS.flatMap(([status, when]) => term(String(status), when)),
    '.SH SEE ALSO',
    text('string help VERB'),
  ]
  return `${lines.join('\n')}\n`
}

function verbLines(row: VerbRow): string[] {
  return [
    `.SS ${text(row.name)}`,
    text(sentence(row.summary)),
    ...row.usage.flatMap((line) => synopsis(line)),
    ...(row.about === undefined ? [] : ['.PP', ...row.about.flatMap(aboutLines)]),
    ...flagList(row.flags ?? []),
    ...(row.subverbs ?? []).flatMap((sub) => subverbLines(row, sub)),
    ...row.examples.flatMap(exampleLines),
    '.PP',
    text(
      `Exit status: ${exitTexts(row)
        .map(([status, when]) => `${status} ${when}`)
        .join(', ')}.`,
    ),
  ]
}

/** What is indented stays as it is. */
function aboutLines(line: string): string[] {
  return line.startsWith(' ') ? ['.br', text(line), '.br'] : [text(line)]
}

function subverbLines({ name }: VerbRow, sub: SubverbRow): string[] {
  const flags = flagList(sub.flags ?? [])
  return [...term(`${name} ${sub.name}`, sub.summary), ...(flags.length === 0 ? [] : ['.RS', ...flags, '.RE'])]
}

function exampleLines({ line, does }: Example): string[] {
  return ['.PP', text(`${sentence(does)}`), '.PP', '.nf', `.RS`, text(`string ${line}`), '.RE', '.fi']
}

function flagList(flags: readonly FlagText[]): string[] {
  return flags.flatMap((flag) => term(flagName(flag), flag.summary))
}

function term(name: string, about: string): string[] {
  return ['.TP', `.B ${text(name)}`, text(about)]
}

function synopsis(line: string): string[] {
  return ['.br', `.B string`, text(line)]
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${/[?.]$/.test(words) ? '' : '.'}`
}

/** Backslashes, dashes and what would be taken for a request at the beginning of a line. */
function text(words: string): string {
  const escaped = words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replaceAll('…', '...')
  return escaped
    .replaceAll('`', '\\(ga')
    .replaceAll('~', '\\(ti')
    .replace(/^[ ]*\./, '\\&.')
}
