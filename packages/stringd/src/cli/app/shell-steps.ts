import type { ExecResult } from '@string-os/client'
import { writtenCommands } from '@string-os/protocol'
import { shellWord } from '../../doctor/shell-word.ts'
import { SLASHED } from '../verb-synonyms.ts'

/** What stands for a command where a verb was typed; what is more exact comes first. */
const VERBS: readonly (readonly [string, string])[] = [
  ['/install --update', 'app update'],
  ['/install', 'app install'],
  ['/uninstall', 'app remove'],
]

const WRITTEN = writtenCommands(SLASHED)
/** A row of what a package reads, and a line that ends with a command. */
const NOT_SET = / · not set: (\/set \$\w+ = "value")(?: in (app:[\w-]+))?$/gm
/** It leads into the topic where everything else is typed. */
const OPENS_APP = /^\/open (app:[\w:-]+)$/
const LAST_COMMAND = /^(Next|Remove them|They are.* too|It (?:follows|is pinned).* Another): (\/.+)$/gm

/** Whoever typed a verb is in a shell: what the daemon says to do next, as it is typed there. `program` may have flags behind it. */
export function inShell(answer: ExecResult, program: string): ExecResult {
  const { ok, content } = answer
  return { ...answer, content: ok ? stepsIn(content, program) : hintsIn(content, program) }
}

function stepsIn(text: string, program: string): string {
  return text
    .replace(
      NOT_SET,
      (_, command: string, topic: string | undefined) => ` · not set: ${typed(command, program, topic)}`,
    )
    .replace(LAST_COMMAND, (_, lead: string, command: string) => `${lead}: ${typed(command, program)}`)
}

/** A whole command. */
function typed(command: string, program: string, topic = ''): string {
  const [, entered] = OPENS_APP.exec(command) ?? []
  if (entered !== undefined) return `${program} ${entered} /open`
  const [called, verb] = VERBS.find(([name]) => command.startsWith(`${name} `)) ?? []
  if (called === undefined) return [program, ...(topic === '' ? [] : [topic]), shellWord(command)].join(' ')
  const words = command.slice(called.length + 1)
  return `${program} ${verb} ${/^[\w@%+=:,./# -]+$/.test(words) ? words : shellWord(words)}`
}

/** Below what went wrong are sentences with commands in them; rows of a list are what a package holds. */
function hintsIn(text: string, program: string): string {
  const [first = '', ...hints] = text.split('\n')
  return [first, ...hints.map((hint) => (/^ {2}[^-]/.test(hint) ? sentence(hint, program) : hint))].join('\n')
}

function sentence(hint: string, program: string): string {
  const marked = hint.replace(WRITTEN, `${program} /`)
  return VERBS.reduce((said, [name, verb]) => said.replaceAll(`${program} ${name}`, `${program} ${verb}`), marked)
}
