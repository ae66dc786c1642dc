import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfigError, knowsLinks, readConfig } from '../src/config.ts'

describe('the home folder', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it.each(['', 'here'])('of a HOME that is %j is the one that the system knows, and never where we are', (home) => {
    vi.stubEnv('HOME', home)
    expect(readConfig({}).stringHome).toBe(join(userInfo().homedir, '.string'))
  })
})

describe('STRING_ALLOW_ORIGINS', () => {
  it('S39: lists origins of this machine, spelled as a browser sends them', () => {
    const STRING_ALLOW_ORIGINS = ' http://localhost:5173, HTTPS://LocalHost:443 ,http://[::1]:8080,,'
    expect(readConfig({ STRING_ALLOW_ORIGINS }).allowOrigins).toEqual([
      'http://localhost:5173',
      'https://localhost',
      'http://[::1]:8080',
    ])
    expect(readConfig({}).allowOrigins).toEqual([])
  })

  it.each([
    'https://evil.com',
    '*',
    'null',
    'localhost:5173',
    'http://localhost:5173/',
    'http://a@localhost',
    'file://x',
  ])('S39: takes no %s, and says what it takes', (STRING_ALLOW_ORIGINS) => {
    expect(() => readConfig({ STRING_ALLOW_ORIGINS })).toThrow(ConfigError)
    expect(() => readConfig({ STRING_ALLOW_ORIGINS })).toThrow(/such as http:\/\/localhost:5173, not/)
  })
})

describe('terminals that know links', () => {
  it.each([
    [{ TERM_PROGRAM: 'iTerm.app' }, true],
    [{ KITTY_WINDOW_ID: '1' }, true],
    [{ VTE_VERSION: '7200' }, true],
    [{ VTE_VERSION: '4200' }, false],
    [{ TERM: 'xterm-256color' }, false],
    [{ TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/tmux' }, false],
    [{ TERM_PROGRAM: 'vscode', TERM: 'dumb' }, false],
  ])('%j: %s', (env, isKnown) => {
    expect(knowsLinks(env)).toBe(isKnown)
  })
})
