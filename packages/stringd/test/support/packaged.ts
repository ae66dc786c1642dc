import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exec } from '../../../../test/support/http.ts'
import { runAction } from '../../src/command/act/run-action.ts'
import type { Command } from '../../src/command/core/command.ts'
import { defineCommand } from '../../src/command/core/define.ts'
import type { ActionDaemon } from './action.ts'
import { startTestDaemon } from './daemon.ts'
import { packagePowers } from './engine.ts'

/** Runs the action `go` of the open document with the powers of a package that lists these variables. */
function packaged(variables: Readonly<Record<string, string>>): Command {
  return defineCommand({
    name: 'packaged',
    summary: 'Run the action as a package would',
    params: {},
    flags: {},
    body: 'none',
    raw: true,
    details: [],
    examples: [],
    async run({ rest }, context) {
      const current = await context.reader.current('test')
      if (!current.ok) return current
      const found = current.loaded.index.actions.get('go')
      if (found === undefined) throw new Error('The document has no action go')
      const { files, beside } = context.powers(found.base)
      return runAction({ action: found, line: rest, powers: { ...packagePowers(variables), beside, files } }, context)
    },
  })
}

/** A daemon in which this document is open and `/packaged` runs its action. */
export async function openPackaged(
  document: string,
  variables: Readonly<Record<string, string>>,
): Promise<ActionDaemon> {
  const daemon = await startTestDaemon({ commands: [packaged(variables)] })
  writeFileSync(join(daemon.home, 'doc.md'), document)
  await exec(daemon.port, '/open doc.md')
  return { ...daemon, run: (command) => exec(daemon.port, command) }
}
