import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { Workspace, type WorkspaceScope } from '../../src/files/workspace.ts'

function setUp(scope: Partial<WorkspaceScope> = {}) {
  const dir = tempDir()
  const at = (path: string) => join(dir, path)
  for (const folder of [
    'home/notes',
    'home/.string/output',
    'home/.string/packages/x',
    'work',
    'allowed',
    'data',
    'outside',
  ]) {
    mkdirSync(at(folder), { recursive: true })
  }
  for (const file of [
    'home/a.md',
    'home/both.md',
    'home/notes/b.md',
    'work/c.md',
    'work/both.md',
    'allowed/d.md',
    'data/agents.json',
    'outside/secret',
    'home/.string/config.json',
    'home/.string/output/1.txt',
  ]) {
    writeFileSync(at(file), file)
  }
  const workspace = new Workspace({
    home: at('home'),
    allowed: [at('allowed')],
    cwd: null,
    folder: () => null,
    dataDir: at('data'),
    realFolders: new Map(),
    located: new Map(),
    isHome: (path) => path === at('home'),
    ...scope,
  })
  return { at, workspace, dir }
}

function withCwd(folder: string | null = null) {
  const { at, dir } = setUp()
  const workspace = new Workspace({
    home: at('home'),
    allowed: [at('allowed'), at('work')],
    cwd: at('work'),
    folder: () => (folder === null ? null : at(folder)),
    dataDir: at('data'),
    realFolders: new Map(),
    located: new Map(),
    isHome: () => false,
  })
  return { at, workspace, dir }
}

describe('where a path starts', () => {
  it('takes ~ as home and absolute paths as they are', () => {
    const { workspace, at } = setUp()
    expect(workspace.locate('~/a.md')).toMatchObject({ path: at('home/a.md'), exists: true })
    expect(workspace.locate('~')).toMatchObject({ path: at('home') })
    expect(workspace.locate(at('allowed/d.md'))).toMatchObject({ path: at('allowed/d.md') })
  })

  it('starts ./ at the current document, or at home when none is open', () => {
    const { workspace, at } = setUp()
    expect(workspace.locate('./a.md')).toMatchObject({ path: at('home/a.md') })
    const inNotes = new Workspace({
      home: at('home'),
      allowed: [],
      cwd: null,
      folder: () => at('home/notes'),
      dataDir: at('data'),
      realFolders: new Map(),
      located: new Map(),
      isHome: () => false,
    })
    expect(inNotes.locate('./b.md')).toMatchObject({ path: at('home/notes/b.md') })
    expect(inNotes.locate('../a.md')).toMatchObject({ path: at('home/a.md') })
  })

  it('starts ./ at the caller’s working directory when it was sent', () => {
    const { workspace, at } = withCwd('home/notes')
    expect(workspace.locate('./c.md')).toMatchObject({ path: at('work/c.md') })
  })

  it('looks for a bare name beside the document, then in the working directory, then in home', () => {
    const { workspace, at } = withCwd('home/notes')
    expect(workspace.locate('b.md')).toMatchObject({ path: at('home/notes/b.md') })
    expect(workspace.locate('both.md')).toMatchObject({ path: at('work/both.md') })
    expect(workspace.locate('a.md')).toMatchObject({ path: at('home/a.md') })
  })

  it('makes a new bare name in the working directory, or in home without one', () => {
    expect(withCwd('home/notes').workspace.locate('new.md')).toMatchObject({
      path: expect.stringMatching(/work\/new\.md$/) as string,
      exists: false,
    })
    expect(setUp().workspace.locate('new.md')).toMatchObject({
      path: expect.stringMatching(/home\/new\.md$/) as string,
      exists: false,
    })
  })

  it('writes a bare name in the working directory, or in home without one, wherever a reader would find it', () => {
    const { workspace, at } = withCwd('home/notes')
    for (const name of ['b.md', 'both.md', 'a.md', 'new.md'])
      expect(workspace.locateToWrite(name)).toMatchObject({ path: at(`work/${name}`) })
    const atHome = setUp({ folder: () => null })
    expect(atHome.workspace.locateToWrite('a.md')).toMatchObject({ path: atHome.at('home/a.md'), exists: true })
    expect(atHome.workspace.locateToWrite('b.md')).toMatchObject({ path: atHome.at('home/b.md'), exists: false })
  })

  it('writes the file that is known by a bare name, and every other spelling where it says', () => {
    const { workspace, at } = withCwd('home/notes')
    const known = at('home/notes/b.md')
    expect(workspace.locateToWrite('b.md', known)).toMatchObject({ path: known })
    expect(workspace.locateToWrite('./b.md', known)).toMatchObject({ path: at('work/b.md') })
    expect(workspace.locateToWrite('~/b.md', known)).toMatchObject({ path: at('home/b.md') })
    expect(workspace.locateToWrite(at('allowed/b.md'), known)).toMatchObject({ path: at('allowed/b.md') })
    expect(workspace.locateToWrite('b.md', at('outside/secret'))).toMatchObject({
      code: 'INVALID_PATH',
      system: 'Outside the workspace: b.md',
    })
  })

  it('follows the document when a command opens another', () => {
    let folder: string | null = null
    const { workspace, at } = setUp({ folder: () => folder })
    expect(workspace.locate('./b.md')).toMatchObject({ exists: false })
    folder = at('home/notes')
    expect(workspace.locate('./b.md')).toMatchObject({ exists: true })
    expect(workspace.start).toBe(at('home/notes'))
  })

  it('says how else to type what is not where a spelling says', () => {
    const { workspace, at } = withCwd('home/notes')
    expect(workspace.elsewhere('./b.md')).toMatchObject({ path: at('home/notes/b.md') })
    expect(workspace.elsewhere('../a.md')).toMatchObject({ path: at('home/a.md') })
    expect(workspace.elsewhere('b.md')).toMatchObject({ path: at('home/notes/b.md') })
    for (const typed of ['./none.md', 'none.md', '~/b.md', at('work/none.md'), '../../outside/secret'])
      expect(workspace.elsewhere(typed), typed).toBeNull()
  })

  it('shows a path from the working directory, else from home, else whole, and spells it so that it means one thing', () => {
    const { workspace, at, dir } = withCwd()
    expect(workspace.visible(at('work/sub/c.md'))).toBe('sub/c.md')
    expect(workspace.spell(at('work/sub/c.md'))).toBe('./sub/c.md')
    expect(workspace.visible(at('home/a.md'))).toBe('~/a.md')
    expect(workspace.spell(at('home/a.md'))).toBe('~/a.md')
    expect(workspace.visible(at('allowed/d.md'))).toBe(at('allowed/d.md'))
    expect(workspace.spell(at('allowed/d.md'))).toBe(at('allowed/d.md'))
    const atHome = setUp()
    expect(atHome.workspace.visible(atHome.at('home/notes/b.md'))).toBe('notes/b.md')
    expect(atHome.workspace.spell(atHome.at('home/notes/b.md'))).toBe('~/notes/b.md')
    const above = setUp({ cwd: dir, home: at('home') }).workspace
    expect(above.visible(at('home/a.md'))).toBe('~/a.md')
    expect(above.visible(at('work/c.md'))).toBe('work/c.md')
  })

  it('shows paths relative to home, and others whole', () => {
    const { workspace, at } = setUp()
    expect(workspace.show(at('home'))).toBe('~')
    expect(workspace.show(at('home/notes/b.md'))).toBe('notes/b.md')
    expect(workspace.show(at('allowed/d.md'))).toBe(at('allowed/d.md'))
  })
})

describe('S13: confinement', () => {
  it('refuses every spelling of a path outside, and says which folders are allowed', () => {
    const { workspace, at } = setUp()
    symlinkSync(at('outside'), at('home/link'))
    symlinkSync(at('outside/secret'), at('home/file-link'))
    symlinkSync('/', at('home/root'))
    symlinkSync(at('outside/new'), at('home/dangling'))
    const spellings = [
      at('outside/secret'),
      '../outside/secret',
      './../outside/secret',
      '~/../outside/secret',
      '~/notes/../../outside/secret',
      'notes/../../outside/secret',
      'link/secret',
      '~/link/../link/secret',
      'file-link',
      'dangling',
      `root${at('outside/secret')}`,
      `/proc/self/root${at('outside/secret')}`,
      `//${at('outside/secret')}`,
      at('home/../outside/secret'),
      '/etc/passwd',
      '/',
      '~/..',
      at('outside/not-there'),
      'link/not-there',
    ]
    for (const spelling of spellings) {
      expect(workspace.locate(spelling), spelling).toMatchObject({
        ok: false,
        code: 'INVALID_PATH',
        hints: [expect.stringContaining(at('home')) as string, expect.any(String) as string],
      })
    }
  })

  it('takes encoded, quoted and URL spellings as the odd names that they are', () => {
    const { workspace } = setUp()
    for (const name of [
      '%2e%2e%2foutside%2fsecret',
      '"../outside/secret"',
      'file:///etc/passwd',
      '..%2foutside',
      '．．/outside',
    ]) {
      const place = workspace.locate(name)
      if (place.ok) expect(place).toMatchObject({ exists: false, real: expect.stringContaining('/home/') as string })
    }
  })

  it('allows links that stay inside', () => {
    const { workspace, at } = setUp()
    symlinkSync(at('allowed'), at('home/inside'))
    expect(workspace.locate('inside/d.md')).toMatchObject({ ok: true, real: at('allowed/d.md') })
  })

  it('does not offer to open the folder in which String keeps everything', () => {
    const { workspace, at } = setUp()
    mkdirSync(at('.string'))
    const hints = (path: string): readonly string[] => {
      const found = workspace.locate(path)
      return found.ok ? [] : (found.hints ?? [])
    }
    expect(hints(at('.string/x')).join()).toContain('string agent allow ID DIR opens another folder')
    expect(hints(at('x')).join()).toContain(`string agent allow ID ${at('.').replace(/\/$/, '')} opens`)
  })

  it('does not take a folder for its namesake', () => {
    const { workspace, at } = setUp()
    mkdirSync(at('home-2'))
    writeFileSync(at('home-2/x'), '')
    expect(workspace.locate(at('home-2/x'))).toMatchObject({ code: 'INVALID_PATH' })
  })

  it('closes <home>/.string but its output, and the data folder, even inside an allowed folder', () => {
    const { at, dir } = setUp()
    const workspace = new Workspace({
      home: at('home'),
      allowed: [dir],
      cwd: dir,
      folder: () => null,
      dataDir: at('data'),
      realFolders: new Map(),
      located: new Map(),
      isHome: () => false,
    })
    symlinkSync(at('data'), at('home/data-link'))
    for (const path of [
      '~/.string',
      '~/.string/config.json',
      '~/.string/packages/x',
      '~/.string/new',
      at('data'),
      at('data/agents.json'),
      '~/data-link/agents.json',
      './data/x',
      '~/.string/output/../config.json',
    ]) {
      expect(workspace.locate(path), path).toMatchObject({
        ok: false,
        code: 'INVALID_PATH',
        system: `Closed folder: ${path}`,
      })
    }
    expect(workspace.locate('~/.string/output/1.txt')).toMatchObject({ ok: true })
    expect(workspace.locate('./outside/secret')).toMatchObject({ ok: true })
  })

  it('names the command that manages a closed folder', () => {
    const { workspace } = setUp()
    expect(workspace.locate('~/.string/packages/x')).toMatchObject({
      hints: ['/install and /uninstall manage packages; ~/NAME is a file at home'],
    })
    expect(workspace.locate('~/.string/config.json')).toMatchObject({ hints: ['/set and /install manage it'] })
  })

  it('closes another agent’s .string, but not a home that lies inside one', () => {
    const { at, dir } = setUp()
    mkdirSync(at('home/.string/agents/bob'), { recursive: true })
    const isHome = (path: string) => path === at('home') || path === at('home/.string/agents/bob')
    const bob = new Workspace({
      home: at('home/.string/agents/bob'),
      allowed: [dir],
      cwd: null,
      folder: () => null,
      dataDir: at('data'),
      realFolders: new Map(),
      located: new Map(),
      isHome,
    })
    expect(bob.locate('~/x.md')).toMatchObject({ ok: true })
    expect(bob.locate(at('home/.string/config.json'))).toMatchObject({ code: 'INVALID_PATH' })
    expect(bob.locate('~/.string/config.json')).toMatchObject({ code: 'INVALID_PATH' })
  })

  it.each(['', 'a\0b', '\ud800', 'x'.repeat(5000)])('S11: refuses %j as no path', (typed) => {
    expect(setUp().workspace.locate(typed)).toMatchObject({ ok: false, code: 'INVALID_PATH' })
  })

  it('refuses what the kernel makes up, even where the whole machine is allowed', () => {
    const { at } = setUp()
    const workspace = new Workspace({
      home: at('home'),
      allowed: ['/'],
      cwd: '/',
      folder: () => null,
      dataDir: at('data'),
      realFolders: new Map(),
      located: new Map(),
      isHome: () => false,
    })
    for (const path of ['/proc/kmsg', '/dev/zero', '/sys/kernel', '/proc/self/mem']) {
      expect(workspace.locate(path)).toMatchObject({ code: 'INVALID_PATH' })
    }
    expect(workspace.locate('/etc/hostname')).toMatchObject({ ok: true })
  })
})
