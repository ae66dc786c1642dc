import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, STRING, stringPlace } from '../support/cli.ts'
import { type Block, blocksOf, pages, root } from './pages.ts'

interface Step {
  readonly command: string
  /** Null: only that it succeeds is told. */
  readonly output: string | null
}

const SHELLS = ['sh', 'bash', 'shell', 'console']
const isCommand = ({ language, text }: Block): boolean => SHELLS.includes(language) || /^\$ /m.test(text)

/** The steps of a block: `$ command` and under it what it prints, or a script that must succeed. */
function stepsOf({ language, text }: Block): Step[] {
  if (language !== 'console') return [{ command: `set -e\n${text}`, output: null }]
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      // As in a terminal, further lines of a command stand behind `> `.
      const [, command = '', output = ''] = /^([^\n]*(?:\n> [^\n]*)*)\n([\s\S]*)$/.exec(step) ?? []
      return { command: command.replaceAll('\n> ', '\n'), output }
    })
}

/** Times, ids and folders differ from run to run; a last line without its end looks the same on a page. */
function normalise(text: string, dir: string): string {
  return (
    text
      .replace(/([^\n])$/, '$1\n')
      .replaceAll(root, '/project')
      .replaceAll(dir, '/tmp/string')
      .replaceAll(dirname(dir), '/home/you')
      // The same folder, as a page says it.
      .replaceAll('/home/you/.string', '/tmp/string')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d/g, 'TIME')
      .replace(/homes\/[0-9a-f]{24}/g, 'homes/ID')
      .replace(/pid \d+/g, 'pid PID')
      .replace(/sha256: [0-9a-f]{64}/g, 'sha256: SUM')
      .replace(/(evt|trn)_[0-9a-z]{26}/g, '$1_ID')
      .replace(/(string turn \w+) [0-9a-z]{8}\b/g, '$1 ID')
      .replace(/^[0-9a-z]{8} {2}\d\d:\d\d:\d\d /gm, 'ID CLOCK ')
      .replace(/wh_[\w-]{32}/g, 'wh_TOKEN')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
  )
}

const all = pages.flatMap(blocksOf)
const executed = all.filter((block) => isCommand(block) && block.mark === null)

const hasPython = (await run('/bin/sh', ['-c', 'command -v python3'])).status === 0
if (!hasPython) console.warn('SKIPPED: no python3, so examples/python was not run')
/** Python is the one thing on a page that a machine may lack. */
const canRun = (page: string): boolean => hasPython || !page.startsWith('examples/python/')

describe.each([...new Set(executed.map(({ page }) => page))])('%s', (page) => {
  it.skipIf(!canRun(page))('shows what its commands print', async () => {
    const before = readdirSync(root)
    const place = stringPlace()
    await place.string(['/close'])
    const port = place.daemonPort()
    const bin = join(place.dir, 'bin')
    symlinkSync('string', join(place.dir, '.string'))
    mkdirSync(bin)
    writeFileSync(join(bin, 'string'), `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, { mode: 0o755 })
    const env = { ...place.env, STRING_PORT: String(port), PATH: `${bin}:${process.env.PATH}` }
    for (const { command, output } of executed.filter((block) => block.page === page).flatMap(stepsOf)) {
      const { stdout, stderr, status } = await run('/bin/bash', ['-c', command], { cwd: root, env })
      if (output === null) expect(status, `${command}\n${stdout}${stderr}`).toBe(0)
      else
        expect(normalise(stdout + stderr, join(place.dir, 'string')), command).toBe(
          normalise(output, join(place.dir, 'string')),
        )
    }
    expect(readdirSync(root), 'what a page makes, it makes in a folder of its own').toEqual(before)
  })
})

describe('blocks of commands', () => {
  it('are run here, or say in front of them why not', () => {
    const marked = all.filter((block) => isCommand(block) && block.mark !== null)
    const wrong = marked.filter(({ mark }) => {
      const [, file] = /^run by (\S+)$/.exec(mark ?? '') ?? []
      return file === undefined ? !/^not run: \S.{10,}/.test(mark ?? '') : !existsSync(join(root, file))
    })
    expect(wrong.map(({ page, line, mark }) => `${page}:${line}: ${mark}`)).toEqual([])
  })

  it('that show commands are not hidden in a block of another language', () => {
    const hidden = executed.filter(({ language }) => !SHELLS.includes(language))
    const hint = ({ page, line }: Block) =>
      `${page}:${line} shows commands: make it a console block, or write <!-- not run: REASON --> in front of it`
    expect(hidden.map(hint)).toEqual([])
  })
})
