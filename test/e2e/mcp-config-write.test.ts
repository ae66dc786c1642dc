import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { type Place, stringPlace } from '../support/cli.ts'

const WRITE = ['mcp-config', 'gemini', '--write', '--yes']

function settingsOf(place: Place): string {
  return join(place.dir, '.gemini/settings.json')
}

function withSettings(text: string): Place {
  const place = stringPlace()
  mkdirSync(join(place.dir, '.gemini'))
  writeFileSync(settingsOf(place), text)
  return place
}

describe('string mcp-config --write', () => {
  it.each([
    ['claude-code', '.mcp.json'],
    ['claude-desktop', '.config/Claude/claude_desktop_config.json'],
    ['codex', '.codex/config.toml'],
    ['cursor', '.cursor/mcp.json'],
    ['vscode', '.vscode/mcp.json'],
    ['gemini', '.gemini/settings.json'],
    ['opencode', '.config/opencode/opencode.json'],
    ['zed', '.config/zed/settings.json'],
    ['windsurf', '.codeium/windsurf/mcp_config.json'],
    ['goose', '.config/goose/config.yaml'],
    ['continue', '.continue/mcpServers/string.yaml'],
  ])('makes the file of %s with what is printed for it, once', async (client, file) => {
    const place = stringPlace({ XDG_CONFIG_HOME: '', CODEX_HOME: '' })
    const { stdout: printed } = await place.string(['mcp-config', client])
    const path = join(place.dir, file)
    const written = await place.string(['mcp-config', client, '--write', '--yes'])
    expect(written).toMatchObject({ status: 0, stdout: `Wrote ${path}\n` })
    expect(readFileSync(path, 'utf8')).toBe(printed)
    expect(await place.string(['mcp-config', client, '--write', '--yes'])).toEqual({
      status: 0,
      stdout: `${path} holds it already\n`,
      stderr: '',
    })
    expect(readdirSync(join(path, '..')).filter((name) => name.includes('.bak'))).toEqual([])
  })

  it('shows what changes, keeps the old file beside the new one, and touches nothing else', async () => {
    const before = '{\n  // mine\n  "theme": "dark", // of course\n  "mcpServers": {\n    "other": {}\n  }\n}\n'
    const place = withSettings(before)
    chmodSync(settingsOf(place), 0o640)
    const { status, stdout, stderr } = await place.string(WRITE)
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `Wrote ${settingsOf(place)}; as it was: ${settingsOf(place)}.bak\n`,
    })
    expect(stderr.split('\n').slice(0, 7)).toEqual([
      settingsOf(place),
      '    // mine',
      '    "theme": "dark", // of course',
      '    "mcpServers": {',
      '-     "other": {}',
      '+     "other": {},',
      '+     "string": {',
    ])
    const after = readFileSync(settingsOf(place), 'utf8')
    expect(after.replace(/,\n {4}"string": \{[\s\S]*?\n {4}\}/, '')).toBe(before)
    expect(statSync(settingsOf(place)).mode & 0o777).toBe(0o640)
    expect(readFileSync(`${settingsOf(place)}.bak`, 'utf8')).toBe(before)
    expect(statSync(`${settingsOf(place)}.bak`).mode & 0o777).toBe(0o640)
  })

  it('never overwrites a backup', async () => {
    const place = withSettings('{}')
    await place.string(WRITE)
    await place.string([...WRITE, '--agent', 'other'])
    expect(readFileSync(`${settingsOf(place)}.bak`, 'utf8')).toBe('{}')
    expect(readFileSync(`${settingsOf(place)}.bak2`, 'utf8')).not.toContain('other')
    expect(readFileSync(settingsOf(place), 'utf8')).toContain('"other"')
  })

  it('leaves a link where it is and edits what it points to', async () => {
    const place = stringPlace()
    const real = join(place.dir, 'dotfiles.json')
    writeFileSync(real, '{}')
    mkdirSync(join(place.dir, '.gemini'))
    symlinkSync('../dotfiles.json', settingsOf(place))
    expect((await place.string(WRITE)).status).toBe(0)
    expect(lstatSync(settingsOf(place)).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toContain('mcpServers')
    expect(readFileSync(`${real}.bak`, 'utf8')).toBe('{}')
  })

  it.each([
    ['is broken', '{"a": 1', 'line 1, column 8: a comma or } is expected'],
    ['has a list where the servers stand', '{"mcpServers": []}', 'line 1, column 16: an object is expected here'],
  ])('leaves a file alone that %s, and says where', async (_what, text, reason) => {
    const place = withSettings(text)
    const { status, stdout, stderr } = await place.string(WRITE)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`string: ${settingsOf(place)} was left as it is: ${reason}\n`)
    expect(stderr).toContain('string mcp-config gemini prints what to put into it')
    expect(readFileSync(settingsOf(place), 'utf8')).toBe(text)
    expect(readdirSync(join(place.dir, '.gemini'))).toEqual(['settings.json'])
  })

  it('leaves alone what is no file, no text, or a link to nothing', async () => {
    const place = stringPlace()
    mkdirSync(settingsOf(place), { recursive: true })
    expect(await place.string(WRITE)).toMatchObject({ status: 1, stderr: expect.stringContaining('it is no file') })
    const named = join(place.dir, 'named.json')
    writeFileSync(named, Buffer.from([0x7b, 0xff, 0x7d]))
    const other = [...WRITE, '--file', 'named.json']
    expect(await place.string(other)).toMatchObject({ status: 1, stderr: expect.stringContaining('not UTF-8') })
    symlinkSync('nowhere', join(place.dir, 'link.json'))
    const link = [...WRITE, '--file', 'link.json']
    expect(await place.string(link)).toMatchObject({ status: 1, stderr: expect.stringContaining('ENOENT') })
  })

  it('writes nothing where nobody can be asked and --yes is missing', async () => {
    const place = withSettings('{}')
    const { status, stderr } = await place.string(['mcp-config', 'gemini', '--write'])
    expect(status).toBe(2)
    expect(stderr).toContain('--yes writes it')
    expect(readFileSync(settingsOf(place), 'utf8')).toBe('{}')
    expect((await place.string(['mcp-config', 'http', '--write', '--yes'])).status).toBe(2)
  })

  it.each([
    { answer: 'y\r', isWritten: true },
    { answer: '\r', isWritten: false },
    { answer: '\u0004', isWritten: false },
  ])('asks on a terminal, and heeds $answer', async ({ answer, isWritten }) => {
    const place = withSettings('{}')
    const terminal = openTerminal(place, ['mcp-config', 'gemini', '--write'])
    await terminal.shows('Write it? [y/N]')
    expect(terminal.shown()).toContain('+   "mcpServers": {')
    terminal.type(answer)
    expect(await terminal.exited).toBe(0)
    expect(readFileSync(settingsOf(place), 'utf8') !== '{}').toBe(isWritten)
  })
})
