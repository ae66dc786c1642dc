import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, STRING, STRINGD } from '../../support/cli.ts'
import { call } from '../../support/http.ts'
import { rememberKey } from '../../support/keys.ts'

const AGENT = join(import.meta.dirname, '../../agents/do-as-told.mjs')

/** A daemon for the tests of one file, with agents that do as they are told. */
export class PagePlace {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'string-test-')))
  readonly dataDir = join(this.dir, 'data')
  #child: ChildProcess | null = null
  #port = 0
  readonly #given: NodeJS.ProcessEnv

  /** In the environment of the daemon. */
  constructor(given: NodeJS.ProcessEnv = {}) {
    this.#given = given
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`
  }

  async start(): Promise<this> {
    const env = this.#environment()
    const child = spawn(process.execPath, [STRINGD, '--port', String(this.#port)], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    this.#port = await new Promise<number>((resolve, reject) => {
      let stderr = ''
      child.once('exit', () => reject(new Error(stderr)))
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk
        const ready = /"stringd is ready","port":(\d+)/.exec(stderr)
        if (ready !== null) resolve(Number(ready[1]))
      })
    })
    rememberKey(this.#port, this.dataDir)
    return this
  }

  /** Without any warning; what it left is there for the next start. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exited
  }

  async stop(): Promise<void> {
    await this.kill('SIGTERM')
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 3 })
  }

  /** An agent with a profile of its own, and its home. */
  async agent(id: string, keys = ''): Promise<string> {
    const home = join(this.dir, 'homes', id)
    mkdirSync(join(home, '.string'), { recursive: true })
    writeFileSync(join(home, '.string/profile.yaml'), `command: ${AGENT}\nwire: "0.4"\npermission: true\n${keys}`)
    await this.ask('POST', '/agents', { agent_id: id, home })
    return home
  }

  async ask<T = unknown>(method: string, path: string, body?: object): Promise<T> {
    const reply = await call(this.#port, method, path, body === undefined ? {} : { body })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json as T
  }

  /** A message whose turn is waited for. */
  async turn(agent: string, message: string, session = 'default'): Promise<void> {
    await call(this.#port, 'POST', `/agents/${agent}/turns`, { body: { message, session } })
  }

  /** The built command line, beside the page. */
  string(args: readonly string[]): ReturnType<typeof run> {
    return run(process.execPath, [STRING, ...args], { cwd: this.dir, env: this.#environment() })
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      HOME: this.dir,
      STRING_HOME: this.dir,
      STRING_DATA_DIR: this.dataDir,
      STRING_PORT: undefined,
      ...this.#given,
    }
  }
}
