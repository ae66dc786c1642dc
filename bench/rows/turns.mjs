import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { agentPath, turnOf } from '../lib/bridge.mjs'
import { compare } from '../lib/rounds.mjs'

const runFile = promisify(execFile)
const TURNS = 20
const SESSIONS = 100

/** The base is what a person without a daemon runs. */
export const daemonTurn = {
  name: 'turn of a trivial agent through the daemon',
  unit: 'ms',
  better: 'lower',
  bar: 1.3,
  dream: 0.2,
  async measure(context) {
    const ask = await startAgent(context)
    const script = join(context.programs, 'bin/string.cjs')
    const args = [script, 'bridge', 'run', '--profile', ask.profile, '--message', 'hello']
    const sides = {
      rounds: 5,
      better: 'lower',
      base: () => medianMilliseconds(() => runFile(process.execPath, args, { env: ask.env }), 5),
      ours: () => medianMilliseconds(() => ask('default')),
    }
    return compare(sides)
  },
}

/**
 * The base is the library that the daemon runs a turn with, in this process: it stores nothing and nobody asks it. The
 * allowance is for the request and for two writes that the disk confirms.
 */
export const daemonTurnBare = {
  name: 'turn of a trivial agent through the daemon, beside runTurn alone',
  unit: 'ms',
  better: 'lower',
  bar: 1.3,
  allowance: 3,
  dream: null,
  async measure(context) {
    const ask = await startAgent(context)
    const turn = turnOf('./trivial.sh')
    const sides = {
      rounds: 15,
      better: 'lower',
      base: () => medianMilliseconds(turn),
      ours: () => medianMilliseconds(() => ask('default')),
    }
    return compare(sides)
  },
}

export const daemonSessions = {
  name: 'turns of 100 sessions at once',
  unit: 'ms',
  better: 'lower',
  bar: 1.3,
  dream: 1.1,
  async measure(context) {
    const ask = await startAgent(context)
    const turn = turnOf('./trivial.sh')
    const all = (run) => Promise.all(Array.from({ length: SESSIONS }, (_, index) => run(`s${index}`)))
    const sides = {
      rounds: 7,
      better: 'lower',
      base: () => milliseconds(() => all(turn)),
      ours: () => milliseconds(() => all(ask)),
    }
    return compare(sides)
  },
}

/** Each write is a commit, which the disk has to confirm. */
export const turnWrites = {
  name: 'writes to the store for a turn',
  unit: '',
  better: 'lower',
  bar: 4,
  dream: 2,
  async measure(context) {
    const ask = await startAgent(context)
    await ask('default')
    const before = commitsIn(ask.log)
    for (let index = 0; index < TURNS; index += 1) await ask('default')
    return { base: null, ours: (commitsIn(ask.log) - before) / TURNS }
  },
}

/** A function that asks the agent in a session, and waits for its answer. */
async function startAgent(context) {
  const daemon = await context.startDaemon()
  const home = join(daemon.home, 'home')
  mkdirSync(join(home, '.string'))
  const profile = join(home, '.string/profile.yaml')
  writeFileSync(profile, `command: ["${agentPath('trivial.sh')}"]\n`)
  const connections = new Map()
  const ask = async (session) => {
    const connection = connections.get(session) ?? daemon.connect()
    connections.set(session, connection)
    const { text } = await connection.send('/agents/default/turns', { message: 'hello', session })
    if (!text.includes('"ok":true')) throw new Error(`The turn failed: ${text}`)
  }
  return Object.assign(ask, { profile, env: daemon.env, log: join(daemon.home, 'data/state.db-wal') })
}

/** A frame of the log of SQLite that ends a transaction says how large the file is then. */
function commitsIn(path) {
  const bytes = readFileSync(path)
  const frameBytes = 24 + bytes.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frameBytes <= bytes.length; at += frameBytes) {
    const isOfThisLog = bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0
    if (isOfThisLog && bytes.readUInt32BE(at + 4) > 0) commits += 1
  }
  return commits
}

async function medianMilliseconds(work, turns = TURNS) {
  const times = new Float64Array(turns)
  for (let index = 0; index < turns; index += 1) times[index] = await milliseconds(work)
  return times.sort()[Math.floor(turns / 2)]
}

async function milliseconds(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}
