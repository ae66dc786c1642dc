import { refusedResult } from '@string-os/bridge'
import { newOwner } from '@string-os/bridge/reap'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { CliError, EXIT } from '../exit.ts'
import { readStdin } from '../stdin.ts'
import { type AgentPlace, findAgent, takeTurn } from './agent-turn.ts'
import { cutNote } from './cut-note.ts'
import { listenForSignals } from './interruption.ts'
import { parseRunFlags, type RunFlags } from './run-flags.ts'
import { jsonOutput, plainOutput } from './turn-output.ts'

/** `string bridge run`: one turn. The exit status is the turn's `exit_code`. */
export async function bridgeRun(args: readonly string[], invocation: Invocation, config: Config): Promise<number> {
  const flags = parseRunFlags(args)
  const isJson = flags.json || invocation.format === 'json'
  try {
    const place = await findAgent(flags.profile, flags.cwd ?? invocation.cwd, config)
    const message = flags.message === '-' ? await readStdin() : flags.message
    return await runOnce(place, { ...flags, message, json: isJson }, config.color)
  } catch (error) {
    // What is refused before a turn is a result too, for those who read results.
    if (!isJson || !(error instanceof CliError)) throw error
    jsonOutput().finish(refusedResult({ exitCode: EXIT.usage, message: error.message }))
    return error.status
  }
}

async function runOnce(place: AgentPlace, flags: RunFlags, color: boolean): Promise<number> {
  const output = flags.json ? jsonOutput() : plainOutput(color)
  if (flags.isNew) await place.sessions.keep(place.owner, flags.sessionName, null)
  const owner = newOwner(place.environment)
  const interruption = listenForSignals(owner)
  const hooks = { owner, signal: interruption.signal, onPartial: output.partial, onWarning: output.warning }
  const result = await takeTurn(place, flags, hooks)
  const exitCode = interruption.exitCode() ?? result.exit_code
  if (flags.json || !interruption.isUnread()) {
    output.finish({ ...result, exit_code: exitCode })
    const cut = cutNote(result, place.profile.path)
    if (cut !== null) output.note(cut)
  }
  interruption.end()
  return exitCode
}
