import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import { envFilePath, envFileReader, howToSet, lookAtEnvFile } from '../../src/shell/env-file.ts'

function look(text: string): { variables: object; said: string[] } {
  const path = join(tempDir(), 'env')
  writeFileSync(path, text)
  const { variables, problems } = lookAtEnvFile(path)
  return { variables, said: problems.map((problem) => problem.replace(path, 'env')) }
}

const UNUSED = 'as it is, the line sets nothing'

describe('the file env', () => {
  it('sets NAME=value, a line each; what is empty or a comment is nothing', () => {
    const { variables, said } = look('# keys\n\n  \n  # more\nA=1\n  B_2=x=y # z\r\nEMPTY=\nQUOTED=say "hi"\n')
    expect(variables).toEqual({ A: '1', B_2: 'x=y # z', EMPTY: '', QUOTED: 'say "hi"' })
    expect(said).toEqual([])
  })

  it('that is not there sets nothing', () => {
    expect(lookAtEnvFile(join(tempDir(), 'env'))).toEqual({ variables: {}, problems: [], slips: new Map() })
  })

  it('is said to set a variable, or how the line for it is mended that is there already', () => {
    const dataDir = tempDir()
    const path = envFilePath(dataDir)
    const how = howToSet(dataDir)
    expect(how('KEY')).toBe(`Write KEY=… into ${path}`)
    writeFileSync(path, 'export KEY=a\nOTHER = b\nTHIRD: c\nGOOD=d\n')
    expect(how('KEY')).toBe(`${path}:1:1: Leave out "export": ${UNUSED}`)
    expect(how('OTHER')).toMatch(/env:2:6: Leave out the blanks/)
    expect(how('THIRD')).toMatch(/env:3:6: Write = in place of the colon/)
    expect(how('KE')).toBe(`Write KE=… into ${path}`)
  })

  it('tells of every line that sets nothing, where it is and what to write', () => {
    const { variables, said } = look(
      'export K1=abc\nK2: abc\n  K3 = abc\nabc\n2K=abc\nMY-KEY=abc\nK4=a\0c\nK5=abc\nK6 : abc',
    )
    expect(variables).toEqual({ K5: 'abc' })
    expect(said).toEqual([
      `env:1:1: Leave out "export": ${UNUSED}`,
      `env:2:3: Write = in place of the colon: ${UNUSED}`,
      `env:3:5: Leave out the blanks around =: ${UNUSED}`,
      `env:4:1: It is not NAME=value: ${UNUSED}`,
      `env:5:1: It is not NAME=value: ${UNUSED}`,
      `env:6:1: It is not NAME=value: ${UNUSED}`,
      `env:7:4: It holds a NUL character, which no program can be given: ${UNUSED}`,
      `env:9:4: Write = in place of the colon: ${UNUSED}`,
    ])
  })

  it('keeps quotes around a value and blanks at its ends, and tells of them', () => {
    const { variables, said } = look('A="abc def"\nB=\'abc\'\nC= abc\nD=abc \nE="abc\nF="\n')
    expect(variables).toEqual({ A: '"abc def"', B: "'abc'", C: ' abc', D: 'abc ', E: '"abc', F: '"' })
    const quotes = 'The quotes are a part of the value: leave them out, unless that is meant'
    const blanks = 'Blanks at an end of the value are a part of it: leave them out'
    expect(said).toEqual([`env:1:3: ${quotes}`, `env:2:3: ${quotes}`, `env:3:3: ${blanks}`, `env:4:6: ${blanks}`])
  })

  it('tells nothing of what stands in a line, whatever that is', () => {
    const secret = fc.stringMatching(/^[0-9A-F]{12}$/)
    const around = fc.constantFrom('', ' ', '"', "'", ':', '=', ' = ', 'export ', '#', '\0', '\t', '-')
    fc.assert(
      fc.property(
        secret,
        fc.array(around, { minLength: 4, maxLength: 4 }),
        (text, [a = '', b = '', c = '', d = '']) => {
          const { said } = look(`${a}${text}${b}${text}${c}\n${text}${d}`)
          expect(said.join('\n')).not.toContain(text)
        },
      ),
    )
  })

  it('that is full of something else is told of in part', () => {
    const { said } = look('no\n'.repeat(1_000))
    expect(said).toHaveLength(101)
    expect(said.at(-1)).toBe('env: 900 more lines like these')
  })

  it('is read each time, and what is wrong with it is logged once, until that is something else', () => {
    const path = join(tempDir(), 'env')
    const lines: string[] = []
    const read = envFileReader(
      path,
      createLog((line) => lines.push(line)),
    )
    expect(read()).toEqual({})
    writeFileSync(path, 'A=1\nB: 2\n')
    expect([read(), read()]).toEqual([{ A: '1' }, { A: '1' }])
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'warn', path, reason: expect.stringContaining(`${path}:2:2: `) as string }),
    ])
    writeFileSync(path, 'A=1\nB=2\n')
    expect(read()).toEqual({ A: '1', B: '2' })
    writeFileSync(path, 'A=1\nB: 2\n')
    read()
    expect(lines).toHaveLength(2)
  })
})
