import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { run } from '../support/cli.ts'

const require = createRequire(import.meta.url)

export const ADAPTER = join(import.meta.dirname, 'agentproc-adapter.cjs')

interface RunOptions {
  readonly message: string
  readonly streaming?: boolean
  readonly onPartial?: (text: string, role?: string) => void
  readonly onStderr?: (text: string) => void
  readonly onPermission?: () => { readonly behavior: 'allow' | 'deny' }
}

interface RunResult {
  readonly reply: string
  readonly sessionId: string
  readonly error: string
  readonly exitCode: number
}

/** What the runner of the package gives, and our bridge behind the adapter. */
export type RunAgent = (profile: object, options: RunOptions) => Promise<RunResult>

export interface Runner {
  readonly run: RunAgent
  readonly classifyLine: (line: string) => { readonly kind: string; readonly value: unknown }
}

/** The newest version from the registry, gone with the tests; null when it cannot be had. */
export async function installAgentproc(): Promise<string | null> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'string-agentproc-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0', 'agentproc']
  const { status } = await run('npm', install, { cwd: folder, env: process.env })
  return status === 0 ? join(folder, 'node_modules/agentproc') : null
}

export const ours = (require(ADAPTER) as { run: RunAgent }).run

export function theirs(folder: string): Runner {
  return require(join(folder, 'src/runner.js')) as Runner
}

/** A file of the public conformance fixtures: from a checkout that AGENTPROC_CONFORMANCE names, or from the package. */
export function fixtures<T>(folder: string | null, name: string): T | null {
  const places = [
    process.env.AGENTPROC_CONFORMANCE,
    ...(folder === null ? [] : ['spec/conformance', 'conformance'].map((part) => join(folder, part))),
  ]
  const found = places.map((place) => join(place ?? '', name)).find((path) => existsSync(path))
  return found === undefined ? null : (require(found) as T)
}
