import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { usage } from '../../packages/stringd/src/command/core/command.ts'
import { COMMANDS } from '../../packages/stringd/src/command/table.ts'
import { TOPIC_KINDS } from '../../packages/stringd/src/command/topic-kinds.ts'
import { run, STRING, stringPlace } from '../support/cli.ts'
import { blocksOf, root } from './pages.ts'

const skill = readFileSync(join(root, 'docs/skill/SKILL.md'), 'utf8')

describe('docs/skill/SKILL.md', () => {
  it('has a name and a description, and fewer than 600 tokens', () => {
    expect(skill).toMatch(/^---\nname: [a-z-]+\ndescription: .{40,1024}\n---\n/)
    expect(encode(skill).length).toBeLessThan(600)
  })

  it('names only commands and flags that there are', () => {
    const known = new Map(COMMANDS.map((command) => [command.name, command]))
    const own = new Set(TOPIC_KINDS.bash.commands?.map(({ name }) => name))
    const named = [...skill.matchAll(/`(\/\/?)([a-z]+(?:\.[a-z]+)?)([^`]*)`/g)]
    expect(named.length).toBeGreaterThan(20)
    for (const [text, mark, name = '', rest = ''] of named) {
      const command = known.get(name)
      expect(mark === '//' ? own.has(name) : command !== undefined, text).toBe(true)
      const takes = command === undefined ? '' : usage(command)
      const flags = [...rest.matchAll(/--[a-z-]+/g)].map(([flag]) => flag)
      expect(flags.filter((flag) => !takes.includes(flag))).toEqual([])
    }
  })

  it('shows how a body with quotes is sent', async () => {
    const place = stringPlace()
    mkdirSync(join(place.dir, 'src'))
    writeFileSync(join(place.dir, 'src/queue.js'), 'const limit = 3\n')
    const [example] = blocksOf('docs/skill/SKILL.md').filter(({ language }) => language === 'sh')
    const script = `string() { "${process.execPath}" "${STRING}" "$@"; }\n${example?.text}`
    const { stdout } = await run('/bin/bash', ['-c', script], { cwd: place.dir, env: place.env })
    expect(stdout).toContain(' 1 +│ const limit = 5\n')
    expect(readFileSync(join(place.dir, 'src/queue.js'), 'utf8')).toBe('const limit = 5\n')
  })
})
