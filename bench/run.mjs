// Measures every row of rows.mjs and exits 1 where a bar is missed. `--only WORD`, any number of times, or words alone run only
// the rows whose name contains one of the words, `--quick` those of every day; then no file is written, so that a result is always
// that of a whole run. `--stream-secs=600` is how long the tab of the page is watched while agents stream.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chart } from './lib/chart.mjs'
import { createContext } from './lib/context.mjs'
import { judge } from './lib/judge.mjs'
import { table } from './lib/table.mjs'
import { QUICK, ROWS } from './rows.mjs'

const { values: flags, positionals } = parseArgs({
  options: {
    'stream-secs': { type: 'string', default: '60' },
    only: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const words = [...flags.only, ...positionals]
const rows = flags.quick ? QUICK : ROWS
const chosen = words.length === 0 ? rows : rows.filter(({ name }) => words.some((word) => name.includes(word)))
if (chosen.length === 0) throw new Error(`No row is named like ${words.join(', ')}`)

const results = []
const skipped = []
for (const group of onStages(chosen)) await run(group)
const machine = { node: process.version, cpu: cpus()[0]?.model ?? '', cores: cpus().length }
if (skipped.length > 0) console.log(`SKIPPED:\n${skipped.join('\n')}\n`)
console.log(`${table(results)}\n\nNode ${machine.node}, ${machine.cores} × ${machine.cpu}`)
if (chosen === ROWS) save()
process.exit(results.every(({ verdict }) => verdict !== 'MISSED') ? 0 : 1)

/** Rows that follow each other on one stage share it; all others are alone. */
function onStages(rows) {
  const groups = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (row.stage !== undefined && row.stage === last?.[0].stage) last.push(row)
    else groups.push([row])
  }
  return groups
}

async function run(rows) {
  const context = createContext({ streamSecs: Number(flags['stream-secs']) })
  try {
    const started = performance.now()
    const stage = (await rows[0].stage?.(context)) ?? {}
    if (rows[0].stage !== undefined) console.error(`stage  of ${rows[0].name} … (${secondsSince(started)} s)`)
    for (const row of rows) await runRow(row, context, stage)
  } finally {
    context.close()
  }
}

async function runRow(row, context, stage) {
  const started = performance.now()
  const measured = stage.skipped === undefined ? await row.measure(context, stage) : stage
  if (measured.skipped !== undefined) {
    skipped.push(`${row.name}: ${measured.skipped}`)
    console.error(`SKIPPED ${skipped.at(-1)}`)
    return
  }
  const result = judge(row, measured)
  results.push(result)
  console.error(`${result.verdict.padEnd(6)} ${row.name} (${secondsSince(started)} s)`)
}

function secondsSince(started) {
  return ((performance.now() - started) / 1000).toFixed(1)
}

function save() {
  const report = { date: new Date().toISOString(), ...machine, rows: results }
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(join(import.meta.dirname, 'results.svg'), chart(results.filter(({ bar }) => bar !== null)))
}
