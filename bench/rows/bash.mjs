import { bashOnPipes, bashOnTerminal } from '../lib/bash.mjs'
import { RawConnection } from '../lib/raw-connection.mjs'
import { compare } from '../lib/rounds.mjs'

/** So many that both sides are as fast as they get: a daemon that has just started is not. */
const COMMANDS = 600

export const bashBuiltin = {
  name: 'bash topic: builtin, against a terminal round trip and /info',
  unit: 'µs',
  better: 'lower',
  bar: 1.5,
  dream: 1.2,
  async measure(context) {
    const daemon = await context.startDaemon()
    const connection = daemon.connect()
    const terminal = await bashOnTerminal()
    const info = () => connection.exec({ cmd: '/info', topic: 'main' })
    const base = async () => (await medianMicroseconds(() => terminal.run(':'))) + (await medianMicroseconds(info))
    const ours = () => medianMicroseconds(() => connection.exec({ cmd: ':', topic: 'bash:bench' }))
    await ours()
    return stopping(terminal, compare({ rounds: 11, better: 'lower', base, ours }))
  },
}

// Without `node:http` in the client: only one side of these two would pay for it.

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
    const ours = () => medianMicroseconds(() => connection.exec({ cmd: '/bin/true', topic: 'bash:bench' }))
    await ours()
    return stopping(pipes, compare({ rounds: 11, better: 'lower', base, ours }))
  },
}

/**
 * What the row before could be at best here: the same command in a bare terminal, then a bare `/exec`. One after the other, as a
 * command would ask for both: a daemon that slept as long as a process takes wakes more slowly than one that is asked all the time.
 */
export const bashExternalFloor = {
  name: 'bash topic: external command, a bare terminal, then /info, against bash on pipes',
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
    const both = async () => {
      await terminal.run('/bin/true')
      await info()
    }
    const ours = () => medianMicroseconds(both)
    return stopping(terminal, stopping(pipes, compare({ rounds: 11, better: 'lower', base, ours })))
  },
}

async function stopping(bash, work) {
  try {
    return await work
  } finally {
    bash.stop()
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
