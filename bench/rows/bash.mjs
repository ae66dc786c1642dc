import { bashOnPipes, bashOnTerminal } from '../lib/bash.mjs'
import { pinned } from '../lib/pin.mjs'
import { RawConnection } from '../lib/raw-connection.mjs'
import { compare } from '../lib/rounds.mjs'

const COMMANDS = 150

// All on one core, as the other rows of latency; and without `node:http`, which only one side of the second would pay.

export const bashBuiltin = {
  name: 'bash topic: builtin, against a terminal round trip and /info',
  unit: 'µs',
  better: 'lower',
  bar: 1.5,
  dream: 1.2,
  async measure(context) {
    const daemon = await context.startDaemon()
    const connection = new RawConnection(daemon.port)
    const terminal = await bashOnTerminal()
    const info = () => connection.exec({ cmd: '/info', topic: 'main' })
    const base = async () => (await medianMicroseconds(() => terminal.run(':'))) + (await medianMicroseconds(info))
    return against(daemon, [terminal], base, () => inTopic(connection, ':'))
  },
}

export const bashExternal = {
  name: 'bash topic: external command, against bash on pipes',
  unit: 'µs',
  better: 'lower',
  bar: 1.25,
  dream: 1.1,
  async measure(context) {
    const daemon = await context.startDaemon()
    const connection = new RawConnection(daemon.port)
    const pipes = bashOnPipes()
    const base = () => medianMicroseconds(() => pipes.run('/bin/true'))
    return against(daemon, [pipes], base, () => inTopic(connection, '/bin/true'))
  },
}

/** What the row before could be at best here: a bare terminal with the same command in it, and a bare `/exec`. */
export const bashExternalFloor = {
  name: 'bash topic: external command, a bare terminal and /info, against bash on pipes',
  unit: 'µs',
  better: 'lower',
  bar: null,
  dream: null,
  async measure(context) {
    const daemon = await context.startDaemon()
    const connection = new RawConnection(daemon.port)
    const terminal = await bashOnTerminal()
    const pipes = bashOnPipes()
    const info = () => connection.exec({ cmd: '/info', topic: 'main' })
    const base = () => medianMicroseconds(() => pipes.run('/bin/true'))
    const ours = async () =>
      (await medianMicroseconds(() => terminal.run('/bin/true'))) + (await medianMicroseconds(info))
    return against(daemon, [terminal, pipes], base, ours)
  },
}

function inTopic(connection, cmd) {
  return medianMicroseconds(() => connection.exec({ cmd, topic: 'bash:bench' }))
}

/** The shell of the topic is started on the core that its daemon is on. */
async function against(daemon, shells, base, ours) {
  try {
    return await pinned('together', [daemon, ...shells], async () => {
      await ours()
      return compare({ rounds: 9, better: 'lower', base, ours })
    })
  } finally {
    for (const shell of shells) shell.stop()
  }
}

async function medianMicroseconds(run) {
  const times = new Float64Array(COMMANDS)
  for (let index = 0; index < COMMANDS; index += 1) {
    const started = performance.now()
    await run()
    times[index] = performance.now() - started
  }
  return times.sort()[COMMANDS / 2] * 1000
}
