import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '@string-os/protocol'
import { onTestFinished } from 'vitest'
import { call } from '../../../../test/support/http.ts'
import { rememberKey } from '../../../../test/support/keys.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import type { Command } from '../../src/command/core/command.ts'
import { defineCommand } from '../../src/command/core/define.ts'
import { COMMANDS } from '../../src/command/table.ts'
import { startDaemon } from '../../src/daemon.ts'
import { createLog } from '../../src/log.ts'
import { HomeFolders } from '../../src/packages/state/home-folders.ts'
import type { StoreName } from '../../src/store/store-name.ts'
import type { Clock } from '../../src/turns/clock.ts'

export interface TestDaemon {
  readonly port: number
  readonly dir: string
  readonly dataDir: string
  readonly home: string
  /** Where packages and variables of this home are. */
  readonly stateDir: string
  readonly log: string[]
  readonly stop: () => Promise<void>
  /** Lets the oldest `/hold` end. */
  readonly release: () => void
  readonly held: () => number
}

/** A whole daemon on a port of the system's choice, with the agent `default` and a command `/hold` that runs until released. */
export async function startTestDaemon({
  register = true,
  execMs = 60_000,
  shellWaitMs = 30_000,
  commands = [] as readonly Command[],
  allowOrigins = [] as readonly string[],
  allowUids = [] as readonly number[],
  /** Puts something into the data folder before the daemon comes. */
  prepare = (_dataDir: string): void => undefined,
  /** That of a daemon that has stopped, to go on with what it left. */
  dir = tempDir(),
  environment = {},
  clock = undefined as Clock | undefined,
  store = undefined as StoreName | undefined,
} = {}): Promise<TestDaemon> {
  const dataDir = join(dir, 'data')
  const home = join(dir, 'home')
  mkdirSync(home, { recursive: true })
  mkdirSync(dataDir, { mode: 0o700, recursive: true })
  prepare(dataDir)
  const log: string[] = []
  const holds: (() => void)[] = []
  const daemon = await startDaemon({
    stringHome: join(dir, 'string'),
    dataDir,
    port: 0,
    log: createLog((line) => log.push(line)),
    environment: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      STRING_TEST_RUN: process.env.STRING_TEST_RUN ?? '',
      LANG: 'C.UTF-8',
      FROM_DAEMON: 'daemon',
      ...environment,
    },
    ...(clock === undefined ? {} : { clock }),
    ...(store === undefined ? {} : { store }),
    execMs,
    shellWaitMs,
    allowOrigins,
    allowUids,
    commands: [...COMMANDS, hold(holds), broken, ...commands],
  })
  onTestFinished(() => daemon.stop())
  const { port } = daemon
  rememberKey(port, dataDir)
  if (register) await call(port, 'POST', '/agents', { body: { agent_id: 'default', home } })
  return {
    port,
    dir,
    dataDir,
    home,
    stateDir: new HomeFolders(dataDir).of(home),
    log,
    stop: () => daemon.stop(),
    release: () => holds.shift()?.(),
    held: () => holds.length,
  }
}

function hold(holds: (() => void)[]): Command {
  return defineCommand({
    name: 'hold',
    summary: 'Run until released',
    params: { name: 'optional' },
    flags: {},
    body: 'none',
    details: [],
    examples: [],
    run: ({ name }) =>
      new Promise((resolve) => {
        holds.push(() => resolve(ok(`Held ${name}`)))
      }),
  })
}

const broken = defineCommand({
  name: 'broken',
  summary: 'Throw',
  params: {},
  flags: {},
  body: 'none',
  details: [],
  examples: [],
  run() {
    throw new Error('a fault in the program at /some/path')
  },
})
