import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes a little agent and its profile into a folder; answers the profile's path. */
export function writeAgent(dir: string, script: string, keys = '', name = 'agent'): string {
  writeFileSync(join(dir, `${name}.sh`), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
  const profile = join(dir, `${name}.yaml`)
  writeFileSync(profile, `command: ./${name}.sh\n${keys}`)
  return profile
}

/** Counts the turns of a session in its id. */
export const COUNTING = `
n=\${AGENT_SESSION_ID#turn-}
echo "AGENT_SESSION:turn-$((\${n:-0} + 1))"
echo "turn $((\${n:-0} + 1)) of $AGENT_SESSION_NAME: $AGENT_MESSAGE"`
