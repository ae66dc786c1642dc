import { exited, fail, type Printed, type Result, stopped, visibleLine } from '@string-os/protocol'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'

export const exec = defineCommand({
  name: 'exec',
  summary: 'Run a shell command with bash',
  params: {},
  flags: {},
  body: 'optional',
  raw: true,
  usage: 'COMMAND',
  details: [
    'Everything behind `/exec`, following lines included, is the script. It runs in your working directory, else in the folder',
    'of the open document, else at home. Session variables are in its environment: `{city}` as `$STRING_VAR_CITY`, and one that',
    'you have `/set` also as `$city` (but not `…_proxy` and `npm_…`). What an answer has set never has its own name there.',
  ],
  examples: ['/exec git status', '/exec for f in *.md; do\n  wc -l "$f"\ndone'],
  async run({ rest, body }, context) {
    const script = body === '' ? rest : `${rest}\n${body}`
    if (script.trim() === '') return fail('USAGE', '/exec needs a COMMAND', 'Usage: /exec COMMAND')
    if (/^\s*-/.test(script))
      return fail('USAGE', '/exec has no flags: all that follows it is the command', 'Usage: /exec COMMAND')
    if (script.includes('\0'))
      return fail('INVALID_PARAMS', 'The command holds a NUL character', "A program can make one: printf '\\0'")
    return run(script, context)
  },
})

async function run(script: string, { shell, session, workspace, signal }: CommandContext): Promise<Result> {
  const cwd = workspace.start
  const { end, output } = await shell.exec({ script, cwd, variables: session.variables.environment(), signal })
  switch (end.kind) {
    case 'exited':
      return ended(end.status, cwd, script, output.excerpt(shell.shownBytes))
    case 'timeout':
      return timedOut(cwd, output.excerpt(shell.shownBytes), shell.execMs)
    case 'cancelled': {
      const printed = output.excerpt(shell.shownBytes)
      return stopped(cwd, printed.text, printed)
    }
    case 'failed':
      return fail(
        'LOAD_ERROR',
        `Cannot start bash in ${cwd}: ${end.reason}`,
        end.next ?? 'Check that the folder is there and can be entered',
      )
  }
}

/** What shells answer where no program has that name. */
const NO_PROGRAM = 127
/** The quotes that another shell would have taken away. */
const IN_QUOTES = /^\s*(["'])([\w./-]+ (?:(?!\1).)*)\1\s*$/s

function ended(status: number, cwd: string, script: string, printed: Printed): Result {
  const [, , quoted] = status === NO_PROGRAM ? (IN_QUOTES.exec(script) ?? []) : []
  if (quoted === undefined) return exited(status, cwd, printed.text, printed)
  const note = `(all of it is in quotes, which makes it one name; without them: /exec ${visibleLine(quoted)})`
  return exited(status, cwd, `${printed.text}\n${note}`, printed)
}

function timedOut(cwd: string, printed: Printed, limitMs: number): Result {
  const note = [
    `(ended after ${Math.round(limitMs / 100) / 10} s, with everything it started)`,
    '(for longer work use a topic bash:NAME: there a command goes on, and //wait waits for it)',
  ].join('\n')
  return exited(124, cwd, printed.text === '' ? note : `${printed.text}\n${note}`, printed)
}
