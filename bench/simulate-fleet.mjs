// What breaks first with many nodes and agents, on paper: `node bench/simulate-fleet.mjs [NODES] [AGENTS]`. It takes what bench/scale.mjs and
// bench/run.mjs have measured, and adds up what one database has to do in an hour of a day, second by second, with a morning when everybody begins at once.

/** Measured by bench/scale.mjs: seconds of one core of the database for one of each. */
const COST = {
  event: 0.00011,
  turn: 0.0027,
  /** More, when it is asked for on another node: the lock, what it says, and looks. */
  turnElsewhere: 0.01,
  /** A beat of a node with all that it looks at, every 5 s, but for the list of nodes. */
  beat: 0.011,
  /** One row of the list of nodes with its four counts: this one is estimated. A node reads 20 rows for each beat, on average. */
  row: 0.00005,
}
const CORES = 32
const CONNECTIONS = { perNode: 7, most: 5_000 }
/** What one agent does in an hour. */
const EACH = { events: 6, turns: 2, elsewhere: 0.3 }
const SECONDS = 3_600

const [nodes = 1_000, agents = 1_000_000] = process.argv.slice(2).map(Number)
const found = [
  simulate('as it is', nodes, agents, { listed: Math.min(20, nodes) }),
  simulate('if every beat read all nodes', nodes, agents, { listed: nodes }),
  simulate('as it is, twice the agents', nodes, agents * 2, { listed: Math.min(20, nodes) }),
]
for (const parts of [4, 16])
  found.push(simulate(`${parts} databases, agents divided`, nodes / parts, agents / parts, { listed: 20 }))
console.log(
  table(['', 'events/s', 'turns/s', 'cores of the database', 'peak', 'connections', 'breaks first'], found.map(row)),
)

/** A quarter of all turns begins in the first five minutes. */
function simulate(name, amountOfNodes, amountOfAgents, { listed }) {
  let busy = 0
  let peak = 0
  for (let second = 0; second < SECONDS; second += 1) {
    const isMorning = second < 300
    const share = isMorning ? 0.25 / 300 : 0.75 / (SECONDS - 300)
    const events = (amountOfAgents * EACH.events) / SECONDS
    const turns = amountOfAgents * EACH.turns * share
    const beats = amountOfNodes / 5
    const lists = beats * listed * COST.row
    const cost =
      events * COST.event + turns * (COST.turn + EACH.elsewhere * COST.turnElsewhere) + beats * COST.beat + lists
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
