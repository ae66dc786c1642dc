// Runs every static check and exits 1 when one of them fails. Only a failed check prints its output.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)

/** One after the other: these write the dist folders that later checks read. */
const first = [
  ['build', 'npm run --silent build'],
  ['types', 'tsc -b'],
]

const rest = [
  ['format and lint', 'biome ci --colors=off --error-on-warnings .'],
  ['type-aware lint', 'oxlint --type-aware --deny-warnings'],
  ['imports', 'node scripts/check-imports.mjs'],
  ['failures', 'node scripts/check-failures.mjs'],
  ['names', 'node scripts/check-names.mjs'],
  ['unused', 'knip'],
  ...(existsSync(join(root, 'scripts/docs.mjs')) ? [['docs', 'node scripts/docs.mjs --check']] : []),
  ...['protocol', 'client', 'bridge', 'stringd'].map((name) => [
    `package ${name}`,
    `publint --strict packages/${name}`,
  ]),
  ...['protocol', 'client', 'bridge'].map((name) => [
    `package types ${name}`,
    `attw --pack packages/${name} --profile esm-only --format ascii`,
  ]),
]

const started = performance.now()
const failed = [...(await runAll(first, 1)), ...(await runAll(rest, 2))]
const total = seconds(started)
console.log(failed.length === 0 ? `\nall checks passed in ${total}` : `\nfailed in ${total}: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** Runs the checks, `width` at a time, and returns the names of those that failed. */
async function runAll(checks, width) {
  const waiting = [...checks]
  const failures = []
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const [name, command] = check
      const { ok, output, time } = await run(command)
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${time}): ${command}`)
      if (!ok) console.log(output.trimEnd())
      if (!ok) failures.push(name)
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return failures
}

function run(command) {
  const start = performance.now()
  const [program, ...args] = command.split(' ')
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const settle = (ok) => resolve({ ok, output, time: seconds(start) })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => {
      output += error.message
      settle(false)
    })
    child.on('close', (code) => settle(code === 0))
  })
}

function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
