import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { type WorstInput, worstInputs } from '../../../../test/support/worst-inputs.ts'
import { COMMANDS } from '../../src/command/table.ts'
import { createTurns } from '../../src/library/parser.ts'
import { type TestRuntime, testRuntime } from '../support/runtime.ts'
import { startServer } from '../web/page-server.ts'

/** A part of the worst; the load tests take all of it. */
const SCALE = 0.05
const INPUTS = worstInputs(SCALE)

async function prepare({ home, result }: TestRuntime, { files = {}, before = [] }: WorstInput): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  for (const command of before) await result(command)
}

describe('S30: the worst input of every command', () => {
  it('is listed for each of them, and for nothing else', () => {
    expect(Object.keys(INPUTS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort())
  })

  it.each(COMMANDS.map(({ name }) => name))('/%s parses and answers no more than its budget', async (name) => {
    for (const input of INPUTS[name] ?? []) {
      let parsed = 0
      const runtime = testRuntime({
        onParse: (chars) => {
          parsed += chars
        },
      })
      await prepare(runtime, input)
      parsed = 0
      const result = await runtime.result(input.command)
      const shown = JSON.stringify([result.system, result.content])
      const isWhole = 'isWhole' in result && result.isWhole === true
      expect(result.code, shown.slice(0, 500)).not.toBe('INTERNAL_ERROR')
      expect(parsed).toBeLessThanOrEqual(LIMITS.commandChars)
      expect(shown.length).toBeLessThanOrEqual(isWhole ? 2 * LIMITS.documentBytes : 4 * LIMITS.answerBytes)
    }
  })
})

describe('S30: one command', () => {
  it('parses of what a page includes only what fits, and says so in place of the rest', async () => {
    const sizes: number[] = []
    const runtime = testRuntime({ onParse: (chars) => sizes.push(chars) })
    const part = '- a\n'.repeat(62_500)
    const files = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`i${index}.md`, part]))
    const all = Array.from({ length: 24 }, (_, index) => `[!include:i${index}](./i${index}.md)\n\n`).join('')
    await prepare(runtime, { files: { ...files, 'all.md': all }, command: '' })
    expect(await runtime.result('/open all.md')).toMatchObject({ ok: true })
    expect(sizes.slice(1).reduce((sum, chars) => sum + chars, 0)).toBeLessThanOrEqual(LIMITS.includedChars)
    expect(JSON.stringify(await runtime.result('/info'))).toContain('includes are larger than 2097152 characters')
  })

  it('opens a menu once, however many names it has, and no more menus than there is a limit for', async () => {
    const sizes: number[] = []
    const runtime = testRuntime({ onParse: (chars) => sizes.push(chars) })
    const menu = '- [@a A](./a.md)\n'.repeat(1_000)
    const same = Array.from({ length: 8 }, (_, index) => `[!nav:m${index}](./menu.md)\n\n`).join('')
    const many = Array.from({ length: 400 }, (_, index) => `[!nav:m${index}](./n${index}.md)\n\n`).join('')
    const menus = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`n${index}.md`, `${menu}${index}`]))
    await prepare(runtime, {
      files: { 'same.md': same, 'menu.md': menu, 'many.md': many, ...menus },
      before: ['/open same.md'],
      command: '',
    })
    const count = async (command: string): Promise<number> => {
      sizes.length = 0
      await runtime.result(command)
      return sizes.filter((chars) => chars >= menu.length).length
    }
    expect(await count('/open @unknown')).toBe(1)
    await runtime.result('/open many.md')
    expect(await count('/open @unknown')).toBe(LIMITS.commandMenus)
    expect(JSON.stringify(await runtime.result('/nav'))).toContain(`at most ${LIMITS.commandMenus} menus`)
  })

  it('asks for each menu of a page from the web once, and for no more than it may open', async () => {
    const asked: string[] = []
    const runtime = testRuntime({ onFetch: (url) => asked.push(url) })
    const page = Array.from({ length: 400 }, (_, index) => `[!nav:m${index}](./n${index}.md)\n\n`).join('')
    const { origin } = await startServer((request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown' })
      response.end(request.url === '/page.md' ? page : '- [@a A](./a.md)\n')
    })
    expect(await runtime.result(`/open ${origin}/page.md`)).toMatchObject({ ok: true })
    asked.length = 0
    expect(await runtime.result('/open @unknown')).toMatchObject({ code: 'NOT_FOUND' })
    expect(asked.length).toBe(LIMITS.commandMenus)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('gives the event loop a little text in each turn, all commands together', async () => {
    const takeTurn = createTurns()
    const sizes = Array.from({ length: 100 }, () => LIMITS.parseHereChars / 8)
    expect(sizes.filter((chars) => takeTurn(chars)).length).toBe(8)
    expect(takeTurn(LIMITS.parseHereChars + 1)).toBe(false)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    expect(sizes.filter((chars) => takeTurn(chars)).length).toBe(8)
  })

  it('counts of a document of very many links, sections or blocks only the first', async () => {
    const runtime = testRuntime()
    const links = '[@a b](c)\n\n'.repeat(LIMITS.documentParts + 1)
    await prepare(runtime, { files: { 'links.md': links }, command: '' })
    expect(await runtime.result('/open links.md')).toMatchObject({ ok: true })
    expect(JSON.stringify(await runtime.result('/info'))).toContain(`only the first ${LIMITS.documentParts} of each`)
  })
})
