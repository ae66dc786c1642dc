import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NO_BROWSER, startBrowser } from './browser.mjs'
import { loadEngines } from './engines.mjs'
import { fillSqlite as fillEvents, SIZES, storedTimes } from './stored-events.mjs'
import { fillSqlite as fillTurns } from './stored-turns.mjs'

const AGENTS = 1_000
const STREAMS = 50
const TURNS = 100_000
/** One is looked at: it says less at a time, so that soon all that its conversation shows has been said meanwhile. */
export const SHOWN = 'agent-1'
const SHOWN_SECS = 4
const OTHERS_SECS = 60

/** A store as a year leaves it, a thousand agents of which fifty stream for as long as the rows take, and a browser. */
export async function streamingAgents(context) {
  const browser = await startBrowser(context)
  if (browser === null) return NO_BROWSER
  const engines = await loadEngines(context)
  const { port, home, connect } = await context.startDaemon({ fill: (data) => fillStore(engines, data) })
  const profile = join(home, 'stream.yaml')
  const program = join(import.meta.dirname, '../agents/stream.sh')
  writeFileSync(profile, `command: ${program}\nstreaming: true\n`)
  const connection = connect()
  for (let number = 0; number < AGENTS; number += 1)
    await connection.send('/agents', { agent_id: `agent-${number}`, ...(number < STREAMS ? { profile } : {}) })
  const leave = new AbortController()
  context.onClose(() => leave.abort())
  for (let number = 0; number < STREAMS; number += 1) void talk(port, `agent-${number}`, leave.signal)
  return { browser, port }
}

async function fillStore(engines, data) {
  await fillEvents(engines, data, SIZES.grown, storedTimes(engines))
  await fillTurns(engines, join(data, 'state.db'), TURNS)
}

/** Asks an agent again as soon as it has answered. */
async function talk(port, agent, signal) {
  const message = String(agent === SHOWN ? SHOWN_SECS : OTHERS_SECS)
  try {
    while (!signal.aborted) {
      const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}/turns`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ message }),
        signal,
      })
      for await (const _ of response.body);
    }
  } catch (error) {
    if (!signal.aborted) console.error(`${agent} does not stream any more: ${String(error)}`)
  }
}
