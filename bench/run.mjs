// Measures every row of rows.mjs and exits 1 where a bar is missed. `node bench/run.mjs WORD…` runs only the rows whose
// name contains one of the words; then no file is written, so that a result is always that of a whole run.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { chart } from './lib/chart.mjs'
import { createContext } from './lib/context.mjs'
import { judge } from './lib/judge.mjs'
import { table } from './lib/table.mjs'
import { ROWS } from './rows.mjs'

const words = process.argv.slice(2)
const chosen = words.length === 0 ? ROWS : ROWS.filter(({ name }) => words.some((word) => name.includes(word)))
if (chosen.length === 0) throw new Error(`No row is named like ${words.join(', ')}`)

const results = []
for (const rows of onStages(chosen)) results.push(...(await run(rows)))
const machine = { node: process.version, cpu: cpus()[0]?.model ?? '', cores: cpus().length }
console.log(`${table(results)}\n\nNode ${machine.node}, ${machine.cores} × ${machine.cpu}`)
for (const { name, skipped } of results.filter(({ verdict }) => verdict === 'SKIPPED')) {
  console.log(`SKIPPED: ${name}: ${skipped}`)
}
if (words.length === 0) save()
process.exit(results.every(({ verdict }) => verdict !== 'MISSED') ? 0 : 1)

/** Rows that follow each other on one stage share it; all others are alone. */
function onStages(rows) {
  const groups = []
  for (const row of rows) {
    const stage = groups.at(-1)?.at(-1)?.stage
    if (row.stage !== undefined && row.stage === stage) groups.at(-1).push(row)
    else groups.push([row])
  }
  return groups
}

async function run(rows) {
  const context = createContext()
  try {
    const started = performance.now()
    const stage = (await rows[0].stage?.(context)) ?? {}
    if (rows[0].stage !== undefined) console.error(`stage  for ${rows[0].name} … (${secondsSince(started)} s)`)
    const done = []
    for (const row of rows) done.push(await runRow(row, context, stage))
    return done
  } finally {
    context.close()
  }
}

async function runRow(row, context, stage) {
  const started = performance.now()
  const measured = stage.skipped === undefined ? await row.measure(context, stage) : stage
  const result = judge(row, measured)
  console.error(`${result.verdict.padEnd(6)} ${row.name} (${secondsSince(started)} s)`)
  return result
}

function secondsSince(started) {
  return ((performance.now() - started) / 1000).toFixed(1)
}

function save() {
  const report = { date: new Date().toISOString(), ...machine, rows: results }
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(join(import.meta.dirname, 'results.svg'), chart(results.filter(({ ours }) => ours !== null)))
}
