import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Ran } from '../../support/cli.ts'
import { freePort } from '../../support/free-port.ts'
import type { AgentClient, ClientHome } from './agent-client.ts'
import { type ModelServer, startModel } from './model/server.ts'
import { runOnce, type Started, start } from './started.ts'
import { installTapped, type WireEntry } from './tap.ts'

const examples = join(import.meta.dirname, '../../../examples/agents')

/** A machine for one client: its home, a String with a daemon of its own, a model, and no way out. */
export interface World extends ClientHome {
  readonly client: AgentClient
  readonly model: ModelServer
  /** A folder beside the project. */
  readonly elsewhere: string
  /** What passed between the client and `string --mcp` so far. */
  readonly wire: () => readonly WireEntry[]
  readonly startClient: (args: readonly string[]) => Started
  /** One turn of the client alone. */
  readonly turn: (prompt: string) => Promise<Ran>
  /** The environment of a person who uses String here. */
  readonly env: NodeJS.ProcessEnv
  readonly string: (args: readonly string[], cwd?: string) => Promise<Ran>
  /** Its example, ready for the scripted model. */
  readonly profile: string
  /** One turn of the client through the bridge, from its example profile. */
  readonly bridge: (message: string, session: string, cwd?: string) => Promise<Ran>
  readonly startBridge: (message: string, session: string) => Started
  readonly close: () => Promise<void>
}

export async function createWorld(client: AgentClient, clientBin: string): Promise<World> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'string-client-')))
  const { bin, wire } = installTapped(dir)
  const model = await startModel(client.dialect, client.isOurs)
  const place: ClientHome = { home: join(dir, 'home'), project: join(dir, 'project'), modelPort: model.port }
  const elsewhere = join(dir, 'elsewhere')
  for (const folder of [place.home, place.project, elsewhere]) mkdirSync(folder)
  const own = environment(client, place, [bin, clientBin])
  // The client itself is not told: what is printed for it must be enough.
  const variables = { STRING_DATA_DIR: join(dir, 'data'), STRING_PORT: String(await freePort()) }
  const strings = { ...own, ...variables }
  const string: World['string'] = (args, cwd = place.project) => runOnce('string', args, { cwd, env: strings })

  await string(['--daemon', 'start'])
  writeFiles(client.files(place))
  // What is printed for it, put into its own file.
  const { status, stderr } = await string(['mcp-config', client.id, '--write', '--yes'])
  if (status !== 0) throw new Error(stderr)
  const profile = exampleProfile(client, dir)
  const said = (message: string, session: string) => ['--profile', profile, '--session', session, '-m', message]
  return {
    ...place,
    client,
    model,
    elsewhere,
    wire,
    env: strings,
    string,
    profile,
    startClient: (args) => start(client.program, args, { cwd: place.project, env: own }),
    turn: (prompt) => runOnce(client.program, client.args(prompt), { cwd: place.project, env: own }),
    bridge: (message, session, cwd) => string(['bridge', 'run', ...said(message, session)], cwd),
    startBridge: (message, session) =>
      start('string', ['bridge', 'run', ...said(message, session)], { cwd: place.project, env: strings }),
    close: async () => {
      await string(['--daemon', 'stop'])
      // One that the client started because it did not find ours.
      await runOnce('string', ['--daemon', 'stop'], { cwd: place.project, env: own })
      await model.close()
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Whatever leaves this machine ends at a port on which nothing listens. */
function environment(client: AgentClient, place: ClientHome, folders: readonly string[]): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9'
  return {
    HOME: place.home,
    PATH: [...folders, dirname(process.execPath), process.env.PATH].join(delimiter),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    TMPDIR: process.env.TMPDIR,
    STRING_TEST_RUN: process.env.STRING_TEST_RUN,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
    ...client.env(place),
  }
}

function writeFiles(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** The example as it is, but for the flags and the environment that lead to the scripted model. */
function exampleProfile({ example, profileArgs }: AgentClient, dir: string): string {
  const folder = join(dir, 'agent')
  cpSync(join(examples, example), folder, { recursive: true })
  const path = join(folder, 'profile.yaml')
  const text = readFileSync(path, 'utf8').replace(/^args: \[\]$/m, `args: ${JSON.stringify(profileArgs)}`)
  writeFileSync(path, `${text}env_inherit: all\n`)
  return path
}
