import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeCheck, OLDEST_NODE } from '../../../src/cli/doctor/machine-checks.ts'
import { report } from '../../../src/cli/doctor/report.ts'

describe('the check of Node', () => {
  it('knows the oldest version that package.json names', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
    expect((JSON.parse(text) as { engines: { node: string } }).engines.node).toBe(`>=${OLDEST_NODE.join('.')}`)
  })

  it.each([
    ['18.20.4', 'fail'],
    ['20.18.3', 'fail'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('of %s says %s', (version, state) => {
    expect(nodeCheck(version).state).toBe(state)
  })
})

describe('a report', () => {
  const groups = [
    {
      title: 'This machine',
      checks: [
        { name: 'port', state: 'ok', seen: '3923 is free', mend: null },
        {
          name: 'bash',
          state: 'fail',
          seen: 'a long text \u001b[2J about something that went wrong, longer than a line of eighty columns',
          mend: 'sudo apt install bash',
        },
        { name: 'other user', state: 'untried', seen: 'only root can', mend: null },
      ],
    },
  ] as const

  it('fits 80 columns on a terminal, shows what would control it, and ends with what is not well', () => {
    expect(report(groups, { color: false, width: 80 })).toMatchInlineSnapshot(`
      "This machine
      ok    port             3923 is free
      FAIL  bash             a long text \\x1b[2J about something that went wrong,
                             longer than a line of eighty columns
                             → sudo apt install bash
      -     other user       only root can

      1 of 3 checks failed, 1 not tried; what to type stands below each
      FAIL  bash             a long text \\x1b[2J about something that went wrong,
                             longer than a line of eighty columns
                             → sudo apt install bash"
    `)
  })

  it('in a narrow window stands below the names, and breaks lines between words', () => {
    expect(report(groups, { color: false, width: 40 })).toMatchInlineSnapshot(`
      "This machine
      ok    port
        3923 is free
      FAIL  bash
        a long text \\x1b[2J about something
        that went wrong, longer than a line of
        eighty columns
        → sudo apt install bash
      -     other user
        only root can

      1 of 3 checks failed, 1 not tried; what
      to type stands below each
      FAIL  bash
        a long text \\x1b[2J about something
        that went wrong, longer than a line of
        eighty columns
        → sudo apt install bash"
    `)
  })

  it('keeps lines whole in a pipe, and has colours only where they are wanted', () => {
    const text = report(groups, { color: false, width: null })
    expect(text).toContain('longer than a line of eighty columns\n')
    expect(text).not.toContain('\u001b')
    expect(text.match(/FAIL/g)).toHaveLength(1)
    expect(report(groups, { color: true, width: null })).toContain('\u001b[31m')
  })
})
