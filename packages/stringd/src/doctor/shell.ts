import { BASH, tryBash, tryTerminal } from '../shell/try-shell.ts'
import { type Check, type Seen, seenFail, seenOk, seenWarn } from './check.ts'

/** Bash 4.4 is of 2016; what String starts in a shell needs no later one. */
const OLDEST = 4.4

export function shellChecks(path: string = BASH): readonly Check[] {
  return [
    { name: 'bash', look: () => bash(path) },
    { name: 'terminal', look: () => terminal(path) },
  ]
}

async function bash(path: string): Promise<Seen> {
  const tried = await tryBash(path)
  if (!tried.ok)
    return seenFail(`No shell can be started: ${tried.reason}`, 'install bash: sudo apt install bash, apk add bash')
  return Number.parseFloat(tried.text) < OLDEST
    ? seenWarn(`${path} is ${tried.text}, older than ${OLDEST}`, 'install a newer bash')
    : seenOk(`${path} ${tried.text}`)
}

async function terminal(path: string): Promise<Seen> {
  if (!(await tryBash(path)).ok) return seenWarn('not looked at without bash', 'install bash first')
  const tried = await tryTerminal(path)
  return tried.ok
    ? seenOk(`bash topics get one (${tried.text})`)
    : seenFail(
        `bash topics get none: ${tried.reason}`,
        'look that /dev/ptmx is there, and npm install again in the folder of String',
      )
}
