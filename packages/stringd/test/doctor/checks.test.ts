import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shownBytes } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { runChecks, seenOk } from '../../src/doctor/check.ts'
import { dataFolderChecks } from '../../src/doctor/data-folder.ts'
import { registryCheck } from '../../src/doctor/registry.ts'
import { shellChecks } from '../../src/doctor/shell.ts'
import { shellWord } from '../../src/doctor/shell-word.ts'

const folderChecks = (folder: string): ReturnType<typeof dataFolderChecks> =>
  dataFolderChecks(folder, { kind: 'sqlite', folder })

const statesOf = async (checks: Parameters<typeof runChecks>[0]): Promise<string[]> =>
  (await runChecks(checks)).map(({ name, state, seen, mend }) => `${name} ${state}: ${seen} -> ${mend}`)

describe('checks', () => {
  it('are made each alone: one that throws or never answers is a finding, and the others are made', async () => {
    const found = await runChecks(
      [
        { name: 'throws', look: () => Promise.reject(new Error('kaputt')) },
        {
          name: 'throws at once',
          look: () => {
            throw new Error('at once')
          },
        },
        { name: 'hangs', look: () => new Promise(() => undefined) },
        { name: 'well', look: async () => [seenOk('one'), seenOk('two')] },
      ],
      50,
    )
    expect(found.map(({ name, state, seen }) => [name, state, seen])).toEqual([
      ['throws', 'warn', 'It could not be looked at: kaputt'],
      ['throws at once', 'warn', 'It could not be looked at: at once'],
      ['hangs', 'fail', 'No answer within 0.05 s'],
      ['well', 'ok', 'one'],
      ['well', 'ok', 'two'],
    ])
  })

  it('of a data folder tell its mode, and what to type about it, also with a name that needs quotes', async () => {
    const dir = join(tempDir(), "it's mine")
    mkdirSync(dir, { mode: 0o700 })
    const [first = ''] = await statesOf(folderChecks(dir))
    expect(first).toBe(`data folder ok: ${dir}, yours alone -> null`)
    chmodSync(dir, 0o750)
    expect((await statesOf(folderChecks(dir)))[0]).toMatch(/^data folder warn: .* mode 0750: others can look into it/)
    chmodSync(dir, 0o777)
    expect((await statesOf(folderChecks(dir)))[0]).toBe(
      `data folder fail: ${dir} has mode 0777: others can write to it -> chmod 700 ${shellWord(dir)}`,
    )
    expect(shellWord(dir)).toBe(`'${dir.replace("'", `'"'"'`)}'`)
  })

  it('of a folder that is none, or whose secrets are no files, fail', async () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'file'), '')
    for (const path of ['file', 'file/daemon'])
      expect((await statesOf(folderChecks(join(dir, path))))[0]).toBe(
        `data folder fail: ${dir}/file is no folder, and everything that String keeps has to be in it -> set STRING_DATA_DIR (else STRING_HOME) to a folder, or move that file away if it is yours to move`,
      )
    expect((await statesOf(folderChecks(join(dir, 'later'))))[0]).toContain('is not there yet')
    mkdirSync(join(dir, 'env'))
    expect((await statesOf(folderChecks(dir)))[1]).toContain(`secrets fail: ${dir}/env is no plain file`)
  })

  it.runIf(existsSync('/proc/self'))('of a folder where nothing can be kept fail, whoever asks', async () => {
    const states = await statesOf(folderChecks('/proc/string'))
    expect(states[0]).toMatch(
      /^data folder fail: \/proc\/string is not there and cannot be made: \/proc is of the file system proc, which keeps no files -> .*STRING_/,
    )
    expect(states.join('\n')).not.toMatch(/ 0 B free|NaN/)
  })

  it('without bash fail, and tell how it is installed', async () => {
    const [bash = '', terminal = ''] = await statesOf(shellChecks('/nowhere/bash'))
    expect(bash).toMatch(/^bash fail: No shell can be started: there is no \/nowhere\/bash -> install bash/)
    expect(terminal).toMatch(/^terminal warn: not looked at without bash/)
    const [notBash = '', noTerminal = ''] = await statesOf(shellChecks('/bin/true'))
    expect(notBash).toContain('bash fail: No shell can be started: /bin/true is no bash')
    expect(noTerminal).toContain('terminal warn')
  })

  it('of damaged agents tell what is lost, and change nothing', async () => {
    const dir = tempDir()
    expect(await statesOf([registryCheck(dir)])).toEqual(['agents ok: 0 agents registered -> null'])
    writeFileSync(join(dir, 'agents.json'), '{"agents":[{"id":"x"}]}')
    const [damaged = ''] = await statesOf([registryCheck(dir)])
    expect(damaged).toMatch(/^agents fail: .*agents\.json is damaged: 1 of 1 agents could not be read -> restore/)
  })

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1536, '1.5 KiB'],
    [20 * 1024 ** 3, '20 GiB'],
    [1e18, '909495 TiB'],
  ])('show %d bytes as %s', (bytes, text) => {
    expect(shownBytes(bytes)).toBe(text)
  })
})
