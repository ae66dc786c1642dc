import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, STRING, stringPlace } from '../support/cli.ts'

const root = join(import.meta.dirname, '../..')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

interface Step {
  readonly command: string
  readonly output: string
}

/** The steps of every ```console block of a page: `$ command`, and under it what it prints. */
function stepsOf(page: string): Step[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        // As in a terminal, further lines of a command stand behind `> `.
        const [, command = '', output = ''] = /^([^\n]*(?:\n> [^\n]*)*)\n([\s\S]*)$/.exec(step) ?? []
        return { command: command.replaceAll('\n> ', '\n'), output }
      }),
  )
}

/** Times, ids and folders differ from run to run; a last line without its end looks the same on a page. */
function normalise(text: string, dir: string): string {
  return text
    .replace(/([^\n])$/, '$1\n')
    .replaceAll(root, '/project')
    .replaceAll(dir, '/tmp/string')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d/g, 'TIME')
    .replace(/homes\/[0-9a-f]{24}/g, 'homes/ID')
    .replace(/pid \d+/g, 'pid PID')
    .replace(/sha256: [0-9a-f]{64}/g, 'sha256: SUM')
    .replace(/(evt|trn)_[0-9a-z]{26}/g, '$1_ID')
    .replace(/wh_[\w-]{32}/g, 'wh_TOKEN')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
}

describe.each(pages)('%s', (page) => {
  it('shows what its commands print', async () => {
    const place = stringPlace()
    await place.string(['/close'])
    const port = place.daemonPort()
    const program = join(place.dir, 'string')
    writeFileSync(join(place.dir, 'string.sh'), `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, {
      mode: 0o755,
    })
    for (const { command, output } of stepsOf(page)) {
      const script = `string() { "${place.dir}/string.sh" "$@"; }; ${command}`
      const { stdout, stderr } = await run('/bin/bash', ['-c', script], {
        cwd: root,
        env: { ...place.env, STRING_PORT: String(port) },
      })
      expect(normalise(stdout + stderr, program), command).toBe(normalise(output, program))
    }
  })
})
