import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { runChecks } from '../../doctor/check.ts'
import { VERSION } from '../../version.ts'
import type { Invocation } from '../arguments.ts'
import { livingDaemon } from '../daemon/find-daemon.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { asCalled } from '../program-name.ts'
import { lookOf } from '../terminal/look.ts'
import { startSpinner } from '../terminal/spinner.ts'
import type { Program } from '../verb-row.ts'
import { attackChecks } from './attacks.ts'
import { ASKED_OF_A_DAEMON, daemonCheck, insideChecks, ownChecks } from './daemon-checks.ts'
import { machineChecksFor } from './machine-checks.ts'
import { type CheckGroup, report } from './report.ts'

/** `string doctor`: looks at everything and changes nothing; a daemon that does not run is not started. */
export async function runDoctorVerb({ words, format }: Invocation, config: Config, program: Program): Promise<number> {
  const [extra] = parseFlags(words.slice(1), {}).words
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  const spinner = startSpinner('looking')
  const groups = await look(config).finally(() => spinner.stop())
  const checks = groups.flatMap((group) => group.checks)
  const isWell = checks.every(({ state }) => state !== 'fail')
  const text =
    format === 'json'
      ? JSON.stringify({ ok: isWell, version: VERSION, checks: groups.flatMap(flat) })
      : asCalled(report(groups, lookOf(process.stdout, config)), program.name)
  await new Promise<void>((resolve) => {
    process.stdout.write(`${text}\n`, () => resolve())
  })
  // What hangs has been told; nobody waits for it.
  process.exit(isWell ? EXIT.ok : EXIT.commandError)
}

function flat({ title, checks }: CheckGroup): object[] {
  return checks.map((check) => ({ group: title, ...check }))
}

/** A daemon that does not answer is asked nothing more. Attacks come last and alone, so that they disturb no other look. */
async function look(config: Config): Promise<readonly CheckGroup[]> {
  const record = livingDaemon(config)
  const [machine, state] = await Promise.all([
    runChecks(machineChecksFor(config, record)),
    runChecks([daemonCheck(config, record)]),
  ])
  const answers = record !== null && !record.isStopping && state.every((check) => check.state !== 'fail')
  const inside = answers ? await insideChecks(config, record) : await ownChecks(config, record?.pid ?? null)
  const attacks = answers ? await runChecks(attackChecks(record.port)) : []
  return [
    { title: 'This machine', checks: machine },
    { title: 'The daemon', checks: [...state, ...inside], ...(answers ? {} : { leftOut: ASKED_OF_A_DAEMON }) },
    ...(attacks.length === 0 ? [] : [{ title: 'Attacks on it, tried from here', checks: attacks }]),
  ]
}
