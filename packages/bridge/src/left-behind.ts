import { count } from '@string-os/protocol'

/** What is said of programs that an agent had started and that outlived it: they are gone, and the answer waited for them. */
export function leftBehind(programs: number, waitedMs: number): string {
  const waited = waitedMs < 1_000 ? '' : `, after ${Math.round(waitedMs / 1_000)} s (kill_grace_secs)`
  const next = 'string bash:NAME COMMAND runs one that is to go on'
  return `Ended ${count(programs, 'program')} that the agent left behind${waited}; ${next}`
}
