import { fail, LIMITS, nearest, ok, page, type Result } from '@string-os/protocol'
import { type Command, usage } from '../core/command.ts'
import { defineCommand } from '../core/define.ts'

/** `/help` reads the table it is itself a row of. */
export function createHelp(table: () => readonly Command[]): Command {
  return defineCommand({
    name: 'help',
    summary: 'List all commands, or explain one',
    params: { command: 'optional' },
    flags: {},
    body: 'none',
    details: ['`/help limits` lists every limit by its name: bytes, characters, milliseconds and counts.'],
    examples: ['/help', '/help open', '/help limits'],
    run({ command }) {
      if (command === undefined) return page('String Commands', listAll(table()))
      const name = command.replace(/^\/+/, '')
      const found = table().find((row) => row.name === name || (row.aliases ?? []).includes(name))
      if (found !== undefined) return explained(found, '/')
      if (name === 'limits') return ok('Limits', listLimits(), { limits: LIMITS })
      const close = nearest(
        name,
        table().map((row) => row.name),
      )
      return fail(
        'COMMAND_UNKNOWN',
        `Unknown command: /${name}`,
        close === null ? '/help lists all commands' : `Did you mean /help ${close}?`,
      )
    },
  })
}

function listAll(table: readonly Command[]): string {
  // What a body is, stands below.
  const rows = table.map((command) => `- \`${usage(command, '+ body')}\`: ${command.summary}`)
  return [
    ...rows,
    '',
    'A command is one line that starts with /; a body follows on the next lines.',
    '`/help NAME` explains one with examples. After an error, type what its hint says.',
    '',
    'Every topic is a session of its own: any NAME reads and edits, `bash:NAME` is a shell, where each line is input and',
    'commands take two slashes (`//help`), and `app:NAME` is an installed app.',
    'What there is: `/open app`, `/open tool`, `/open bash`, `/open event` (your inbox), `/open agent`, `/open system`.',
  ].join('\n')
}

function listLimits(): string {
  return Object.entries(LIMITS)
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n')
}

/** All about one command, as it is written in a kind of topic. */
export function explained(command: Command, slash: string): Result {
  return page('String Commands', explain(command, slash.slice(1)))
}

function explain(command: Command, mark: string): string {
  const flags = Object.entries(command.flags).map(
    ([name, { summary, short }]) => `- \`--${name}\`${short === undefined ? '' : `, \`-${short}\``}: ${summary}`,
  )
  const aliases = command.aliases?.length ? [`Also: ${command.aliases.map((alias) => `\`/${alias}\``).join(', ')}`] : []
  const examples = command.examples.map((example) => `    ${example.replaceAll('\n', '\n    ')}`)
  // With an empty line between, each part is a paragraph, a list or code also where it is laid out.
  return [
    [`\`${mark}${usage(command)}\``],
    [`${command.summary}.`, ...command.details],
    aliases,
    flags,
    ['Examples:'],
    examples,
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}
