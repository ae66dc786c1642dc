import { describe, expect, it } from 'vitest'
import { readIn, type TerminalMode } from '../../../src/shell/bash/terminal-mode.ts'

const LINES: TerminalMode = { isRaw: false, echoes: true, editedEnd: '\r\r\n', isOneKey: false, isReadline: false }
const RAW: TerminalMode = { ...LINES, isRaw: true, echoes: false }
const ONE_KEY: TerminalMode = { ...RAW, isOneKey: true }
const READLINE: TerminalMode = { ...RAW, isReadline: true }

describe('what a program reads', () => {
  it.each([
    ['nothing by itself where the terminal makes lines', LINES, 'Name: ', true, null],
    ['keys where only the lines are off, whatever it asks', ONE_KEY, 'Go? (y/n) ', true, 'keys'],
    ['keys there before it is still', ONE_KEY, '', false, 'keys'],
    ['lines with readline, whatever it asks', READLINE, 'Name: ', true, 'lines'],
    ['lines with readline, asked for nothing', READLINE, '', true, 'lines'],
    ['lines behind the prompt of an interpreter', RAW, '> ', true, 'lines'],
    ['keys where nothing is open to type behind', RAW, '', true, 'keys'],
    ['what cannot be told before it is still', RAW, '', false, null],
    ['what cannot be told behind any other question', RAW, 'Name? ', true, null],
  ] as const)('is %s', (_what, mode, asked, isStill, reads) => expect(readIn(mode, asked, isStill)).toBe(reads))
})
