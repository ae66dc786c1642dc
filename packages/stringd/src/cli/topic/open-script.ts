import { spawnSync } from 'node:child_process'

/** Longer than bash takes to read a script without running it. */
const READ_MS = 1_000

const OPEN = /unexpected EOF|unexpected end of file|here-document .* delimited by end-of-file/

/** Whether a script goes on in the next line: a quote, a here-document or an `if` is open at its end. Bash itself tells. */
export function isOpenScript(script: string): boolean {
  // A line of plain words is whole: nothing is started for most of what is typed.
  if (/^[\w\s./:=,@%+~-]*$/.test(script) && !OPENS.test(script)) return false
  const { stderr } = spawnSync('/bin/bash', ['--norc', '-n'], {
    input: `${script}\n`,
    env: { LC_ALL: 'C' },
    encoding: 'utf8',
    timeout: READ_MS,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // Without a bash here, the one of the topic says what is wrong.
  return OPEN.test(stderr ?? '')
}

const OPENS = /\b(?:if|for|while|until|case|select|function)\b/
