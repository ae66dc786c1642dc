// What breaks first with many nodes and agents, on paper: `node bench/simulate-fleet.mjs [NODES] [AGENTS]`. It takes what bench/scale.mjs has
// measured (fleet-costs.json), and adds up what one database has to do in an hour of a day, second by second, with a morning when everybody begins at once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const BEAT_SECONDS = 5
const CORES = 32
const CONNECTIONS = { perNode: 7, most: 5_000 }
/** What one agent does in an hour. */
const EACH = { events: 6, turns: 2, elsewhere: 0.3 }
const SECONDS = 3_600

if (process.argv[1] === import.meta.filename) {
  const costs = JSON.parse(readFileSync(join(import.meta.dirname, 'fleet-costs.json'), 'utf8'))
  console.log(simulation(costs, ...process.argv.slice(2).map(Number)))
}

/** A table of what becomes of so many, with costs in seconds of one core of the database for one of each. */
export function simulation(costs, nodes = 1_000, agents = 1_000_000) {
  // On average a node reads 20 rows of the list of nodes for each beat.
  const usual = { listed: Math.min(20, nodes) }
  const found = [
    simulate(costs, 'as it is', nodes, agents, usual),
    simulate(costs, 'if every beat read all nodes', nodes, agents, { listed: nodes }),
    simulate(costs, 'as it is, twice the agents', nodes, agents * 2, usual),
    ...[4, 16].map((parts) =>
      simulate(costs, `${parts} databases, agents divided`, nodes / parts, agents / parts, usual),
    ),
  ]
  const head = ['', 'events/s', 'turns/s', 'cores of the database', 'peak', 'connections', 'breaks first']
  return table(head, found.map(row))
}

/** A quarter of all turns begins in the first five minutes. */
function simulate({ event, turn, elsewhere, idle, nodeRow }, name, amountOfNodes, amountOfAgents, { listed }) {
  const eachTurn = turn.cores + EACH.elsewhere * (elsewhere.cores - turn.cores)
  let busy = 0
  let peak = 0
  for (let second = 0; second < SECONDS; second += 1) {
    const isMorning = second < 300
    const share = isMorning ? 0.25 / 300 : 0.75 / (SECONDS - 300)
    const events = (amountOfAgents * EACH.events) / SECONDS
    const turns = amountOfAgents * EACH.turns * share
    const lists = (amountOfNodes / BEAT_SECONDS) * listed * nodeRow.cores
    const cost = events * event.cores + turns * eachTurn + amountOfNodes * idle.cores + lists
    busy += cost
    peak = Math.max(peak, cost)
  }
  return {
    name,
    events: (amountOfAgents * EACH.events) / SECONDS,
    turns: (amountOfAgents * EACH.turns) / SECONDS,
    mean: busy / SECONDS,
    peak,
    connections: amountOfNodes * CONNECTIONS.perNode,
  }
}

function row({ name, events, turns, mean, peak, connections }) {
  const limits = [
    ['connections', connections / CONNECTIONS.most],
    ['processors of the database', peak / (CORES * 0.7)],
  ].toSorted((one, other) => other[1] - one[1])
  const [[first, load]] = limits
  const breaks = load > 1 ? `${first} (${load.toFixed(1)}×)` : `nothing (${first} at ${Math.round(load * 100)} %)`
  return [
    name,
    Math.round(events),
    Math.round(turns),
    mean.toFixed(1),
    peak.toFixed(1),
    Math.round(connections),
    breaks,
  ]
}

function table(head, lines) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}
