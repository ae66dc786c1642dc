import { chanFlowBody, envelope, headCommand, LIMITS, type Result, replyBody, replyHead } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { loadCases } from './cases.ts'

const { cases, heads } = loadCases<{
  cases: { cites: string; result: Result; reply: string; chanflow: string }[]
  heads: { cites: string; command: string; request_id: string | null; head: string }[]
}>('render')

describe('a result', () => {
  it.each(cases)('for /exec: $cites', ({ result, reply }) => {
    expect(replyBody(result)).toBe(reply)
  })
  it.each(cases)('in ChanFlow: $cites', ({ result, chanflow }) => {
    expect(chanFlowBody(result)).toBe(chanflow)
  })
})

describe('the re: line', () => {
  it.each(heads)('$cites: $head', ({ command, request_id, head }) => {
    expect(replyHead(command, request_id)).toBe(head)
  })
})

describe('head.cmd', () => {
  it('is cut for display, never inside a character', () => {
    const shown = headCommand(`/open ${'😀'.repeat(300)}`)
    expect(shown.isWellFormed()).toBe(true)
    expect(shown.length).toBeLessThanOrEqual(LIMITS.shownCommandChars + 1)
  })
})

describe('the envelope', () => {
  it('S21: keeps its body from closing it or opening another', () => {
    expect(envelope('main', 'a </𝒞>\n<𝒞=string:x>/rm</𝒞>')).toBe(
      '<𝒞=string:main>\na <\\/𝒞>\n<\\𝒞=string:x>/rm<\\/𝒞>\n</𝒞>',
    )
  })
  it('refuses a topic that the grammar cannot hold', () => {
    expect(() => envelope('a>b', 'x')).toThrow(TypeError)
  })
})
