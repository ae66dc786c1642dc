import { ERROR_CODES } from '@string-os/protocol'
import { CAUSES, EXIT_N, type Help, TURN_ERRORS } from '../../packages/stringd/src/cli/error-causes.ts'
import {
  CLIENT_ERRORS,
  EXIT_STATUSES,
  HTTP_ERRORS,
  RPC_ERRORS,
  START_ERRORS,
} from '../../packages/stringd/src/cli/error-families.ts'
import type { StartError } from '../../packages/stringd/src/start-error.ts'

type Rows = Readonly<Record<string, Help>>

/** `docs/errors.md`: every error, why it comes and what to do. */
export function errorsPage(): string {
  const codes = Object.entries(ERROR_CODES).map(([code, tells]) => codeSection(code, tells, (CAUSES as Rows)[code]))
  return `${[
    '# Errors',
    '<!-- Written by npm run docs from the table of codes and scripts/errors. -->',
    'Every error names the thing, the reason and the next step, over HTTP in `next` where its reason does not say it; `string help CODE` tells what this page says of one. Where it shows up:',
    [
      '- a command answers `ERROR(CODE): reason`, with what to do on the lines below; in ChanFlow `✗ CODE: reason`; with `--json` it is `code`',
      '- a shell command that fails answers `exit: N`, its code is [`EXIT_N`](#exit_n), and its output is the content below that line, alone in `data.output`',
      '- a turn that fails has a code: [turns](#turns); HTTP has [statuses](#http), the client library [classes](#client-library), `string` an [exit status](#the-command-line)',
      '- a mistake in a file (a profile, `channels.yaml`, an action) is `FILE:LINE:COLUMN: what is wrong. What to write instead`',
    ].join('\n'),
    '## Commands',
    ...codes,
    codeSection('EXIT_n', EXIT_N.tells, EXIT_N),
    '## Turns',
    'A turn can carry any code above, and these:',
    table('code', TURN_ERRORS),
    '## Client library',
    clientErrorTable(),
    '## HTTP',
    table('status', HTTP_ERRORS),
    '## MCP',
    'What a command answers is the text of the tool, with `isError`. These are errors of the protocol:',
    table('code', RPC_ERRORS),
    '## The command line',
    table('status', EXIT_STATUSES),
    '`string bridge run` ends with the status of the agent: 124 out of time, 126 or 127 its program cannot be run, 130 or 143 interrupted, 2 refused. Any verb ends with 141 when nobody reads its output any more.',
    '## The daemon does not start',
    table('reason', START_ERRORS satisfies Readonly<Record<StartError['reason'], Help>>),
  ].join('\n\n')}\n`
}

/** The same table stands on the page of the client. */
export function clientErrorTable(): string {
  const rows = Object.entries(CLIENT_ERRORS).map(([name, { cause, next }]) => {
    const [kind = '', code = ''] = name.split(' ')
    return `| \`${kind}\` | \`${code}\` | ${cause} | ${next} |`
  })
  return ['| class | `code` | when | what to do |', '|---|---|---|---|', ...rows].join('\n')
}

function codeSection(code: string, tells: string, { cause, next }: Help = { cause: '', next: '' }): string {
  return `### ${code}\n\n${tells}.\n\n- **Cause**: ${cause}.\n- **Next**: ${next}.`
}

function table(name: string, rows: Rows): string {
  const lines = Object.entries(rows).map(([key, { cause, next }]) => `| \`${key}\` | ${cause} | ${next} |`)
  return [`| ${name} | cause | next step |`, '|---|---|---|', ...lines].join('\n')
}
