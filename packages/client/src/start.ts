import { execFile } from 'node:child_process'
// The package by its name: its errors are the same classes then, whichever entry throws them.
import { type DaemonAddress, UnreachableError } from '@string-os/client'
import { type Fields, parseJson } from '@string-os/protocol'
import { asFields } from './call.ts'
import { programNames } from './daemon-address.ts'
import { LOOK_WHY } from './next-steps.ts'

/**
 * The `autoStart` of a client where String is installed beside the program and not within it: runs `string` of the PATH, or what
 * the variable `STRING` names, which finds this user's daemon, and starts it where none runs and `mayStart` is not false.
 */
export async function autoStart({
  mayStart = true,
}: {
  readonly mayStart?: boolean | undefined
} = {}): Promise<DaemonAddress> {
  const programs = programNames()
  for (const program of programs) {
    const said = await run(program, [mayStart ? 'start' : 'status', '--json'])
    if (said !== null) return addressIn(said, program)
  }
  throw new UnreachableError(`Cannot run ${programs.join(' or ')}: there is no such program on the PATH`, {
    next: 'Install String, or name its program in the variable STRING',
  })
}

/** What it printed, as far as it is JSON; null where there is no such program. */
function run(program: string, args: readonly string[]): Promise<Fields | null> {
  return new Promise((resolve) => {
    execFile(program, args, (error, stdout) => {
      const isMissing = error?.code === 'ENOENT' || error?.code === 'EACCES'
      resolve(isMissing ? null : asFields(parseJson(stdout)))
    })
  })
}

function addressIn({ port, running, error }: Fields, program: string): DaemonAddress {
  if (typeof port === 'number') return { port }
  if (typeof error === 'string') throw new UnreachableError(error, { next: LOOK_WHY })
  if (running === false) throw new UnreachableError('stringd does not run')
  throw new UnreachableError(`${program} does not tell where the daemon is: it is not String, or too old`, {
    next: 'Name the program of String in the variable STRING; `string doctor` says what is wrong with it',
  })
}
