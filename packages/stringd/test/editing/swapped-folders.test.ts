import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

/** Another process that makes a folder a link and a folder again, as fast as it can. */
function startSwapping(home: string, outside: string): ChildProcess {
  const program = `
    const { lstatSync, renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs')
    const [home, outside] = process.argv.slice(1)
    const [dir, aside] = [home + '/dir', home + '/aside']
    const kind = (path) => lstatSync(path, { throwIfNoEntry: false })
    process.stdout.write('ready')
    for (;;) {
      try {
        renameSync(dir, aside)
        symlinkSync(outside, dir)
        unlinkSync(dir)
        renameSync(aside, dir)
      } catch {
        // A write has made the folder anew in between.
        try {
          if (kind(aside) === undefined) continue
          rmSync(dir, { recursive: true, force: true })
          renameSync(aside, dir)
        } catch {}
      }
    }`
  const child = spawn(process.execPath, ['-e', program, home, outside], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe('S38: a folder that is swapped for a link while files are written', () => {
  it('leads nothing outside: no file, no folder, no temporary file, and nothing is removed there', async () => {
    const { reply, put, home, dir } = await appPlace()
    const { origin } = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('saved')
    })
    const outside = join(dir, 'outside')
    mkdirSync(outside)
    // What a killed process would have left: orphan removal must not reach it.
    writeFileSync(join(outside, '.x.string-tmp-999999'), 'theirs')
    put({
      'dir/a.md': '# A\n',
      'act.md': `\`\`\`act.save\nGET ${origin}/\n\`\`\`\n\n\`\`\`act.save.response\nsave: ~/dir/saved.txt\n\`\`\`\n`,
    })
    await reply('/open act.md', 'act')
    const child = startSwapping(home, outside)
    await new Promise((resolve) => {
      child.stdout?.once('data', resolve)
    })
    let written = 0
    for (let round = 0; round < 80; round += 1) {
      const answers = await Promise.all([
        reply(`/write ~/dir/w${round}.md\nx`, 'w'),
        reply(`/append --force ~/dir/a.md\nx`, 'a'),
        reply(`/write ~/dir/deep/er/d${round}.md\nx`, 'd'),
        reply('/undo --force', 'd'),
        reply('/act.save', 'act'),
        reply('/ls ~/dir', 'l'),
      ])
      written += answers.filter((answer) => !answer.startsWith('ERROR')).length
    }
    expect(child.exitCode).toBeNull()
    child.kill('SIGKILL')
    expect(readdirSync(outside)).toEqual(['.x.string-tmp-999999'])
    expect(written).toBeGreaterThan(0)
    expect(existsSync(join(outside, 'deep'))).toBe(false)
  })
})
