import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bareSpawn, turnOf } from '../lib/bridge.mjs'
import { compare } from '../lib/rounds.mjs'

const LINES = 100_000
const PREFIX = 'AGENT_PARTIAL:'

/**
 * The agent is `cat`, which costs next to nothing itself. The base splits lines and does nothing else: it does not read
 * their JSON and knows of no other lines, limits, timeouts or processes left behind.
 */
export const bridgePartials = {
  name: 'bridge: 100,000 partial lines',
  unit: 'lines/s',
  better: 'higher',
  bar: 0.8,
  dream: 0.9,
  measure({ folder }) {
    const file = join(folder, 'partials.txt')
    const lines = Array.from({ length: LINES }, (_, index) => `${PREFIX}"word ${index} of an answer "\n`)
    writeFileSync(file, lines.join(''))
    const turn = turnOf(`cat ${file}`)
    const sides = {
      rounds: 15,
      better: 'higher',
      base: () => linesPerSecond(() => splitLines(file)),
      ours: () => linesPerSecond(turn),
    }
    return compare(sides)
  },
}

async function splitLines(file) {
  let lines = 0
  await bareSpawn('/bin/cat', [file], () => {
    lines += 1
  })
  return lines
}

async function linesPerSecond(work) {
  const started = performance.now()
  const lines = await work()
  if (lines !== LINES) throw new Error(`${lines} lines arrived instead of ${LINES}`)
  return lines / ((performance.now() - started) / 1000)
}
