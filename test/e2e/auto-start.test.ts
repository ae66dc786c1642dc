import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { StringClient, UnreachableError } from '@string-os/client'
import { autoStart as runProgram } from '@string-os/client/start'
import { autoStart } from '@string-os/string'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { STRING, stringPlace } from '../support/cli.ts'

/** This process as one whose user has a String of its own. */
function inPlace(): ReturnType<typeof stringPlace> {
  const place = stringPlace()
  for (const name of ['HOME', 'STRING_HOME', 'STRING_PORT']) vi.stubEnv(name, place.env[name])
  onTestFinished(() => void vi.unstubAllEnvs())
  return place
}

/** The built command line under a name on the PATH. */
function onPath(dir: string, name: string): string {
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  const program = join(bin, name)
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${bin}${delimiter}/usr/bin${delimiter}/bin`)
  return program
}

describe('new StringClient({ autoStart })', () => {
  it('starts and finds the daemon of its own data folder', async () => {
    const place = inPlace()
    const client = new StringClient({ autoStart })
    expect((await client.exec('main', '/info')).ok).toBe(true)
    expect(client.port).toBe(place.daemonPort())
  })

  it('runs the next command although the daemon was just told to stop', async () => {
    inPlace()
    const client = new StringClient({ autoStart })
    for (let round = 0; round < 5; round += 1) {
      expect((await client.exec('main', '/info')).ok).toBe(true)
      await client.shutdown()
    }
    expect((await client.exec('main', '/info')).ok).toBe(true)
  })

  it('starts a daemon for health() as for every other call, none for ping(), and shutdown() needs none', async () => {
    const place = inPlace()
    const client = new StringClient({ autoStart })
    for (let round = 0; round < 2; round += 1) {
      expect(await client.ping()).toBe(false)
      expect(place.daemonPid()).toBeNull()
      const nothing = await client.shutdown().catch((thrown: unknown) => thrown)
      expect(nothing).toMatchObject({ code: 'UNREACHABLE', next: expect.stringContaining('there is nothing to end') })
      expect((await client.health()).pid).toBe(place.daemonPid())
      await client.shutdown()
      await vi.waitUntil(() => place.daemonPid() === null, 10_000)
    }
  })

  it('events end with the signal, given alone or as an option', async () => {
    inPlace()
    const client = new StringClient({ autoStart })
    for (const given of ['alone', 'option'] as const) {
      const over = new AbortController()
      const events = client.events(given === 'alone' ? over.signal : { signal: over.signal })
      const next = events.next()
      setTimeout(() => over.abort(), 50)
      expect(await next).toEqual({ done: true, value: undefined })
    }
    // What was left is still being started: in this place, and ended with it.
    expect((await client.health()).ok).toBe(true)
  })
})

describe('a daemon that cannot be started', () => {
  it.each([autoStart, runProgram])('is an UnreachableError, which says what to do', async (start) => {
    const place = inPlace()
    vi.stubEnv('STRING', onPath(place.dir, 'string'))
    const client = new StringClient({ autoStart: start })
    await client.health()
    for (const [port, message] of [
      [
        '3',
        /^The daemon of .* runs on port (\d+), not on 3; STRING_PORT=\1, or none, uses it; STRING_PORT=\1 string stop ends it$/,
      ],
      ['abc', /^STRING_PORT must be a number from 0 to 65535, not "abc"/],
    ] as const) {
      vi.stubEnv('STRING_PORT', port)
      const asked = new StringClient({ autoStart: start }).exec('main', '/info')
      const error = await asked.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UnreachableError)
      expect(error).toMatchObject({
        code: 'UNREACHABLE',
        message: expect.stringMatching(message),
        next: '`string doctor` says what is wrong',
      })
    }
  })
})

describe('autoStart of @string-os/client/start', () => {
  it.each(['string', 'strg'])('runs %s of the PATH, also when the daemon was just told to stop', async (name) => {
    const place = inPlace()
    onPath(place.dir, name)
    const client = new StringClient({ autoStart: runProgram })
    for (let round = 0; round < 3; round += 1) {
      expect((await client.exec('main', '/info')).ok).toBe(true)
      expect(client.port).toBe(place.daemonPort())
      await client.shutdown()
    }
  })

  it('runs what STRING names, and starts none where that is not wanted', async () => {
    const place = inPlace()
    vi.stubEnv('STRING', onPath(place.dir, 'elsewhere'))
    const error = await runProgram({ mayStart: false }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error).toMatchObject({ code: 'UNREACHABLE', message: 'stringd does not run' })
    expect(place.daemonPid()).toBeNull()
    const { port } = await runProgram()
    expect(await runProgram({ mayStart: false })).toEqual({ port })
  })

  it('says why there is none: no program, another one, or what string says', async () => {
    const { dir } = inPlace()
    vi.stubEnv('PATH', dir)
    const client = new StringClient({ autoStart: runProgram })
    await expect(client.exec('main', '/info')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: 'Cannot run string or strg: there is no such program on the PATH',
      next: 'Install String, or name its program in the variable STRING',
    })
    vi.stubEnv('STRING', '/bin/echo')
    await expect(client.exec('main', '/info')).rejects.toMatchObject({
      message: '/bin/echo does not tell where the daemon is: it is not String, or too old',
    })
    vi.stubEnv('STRING', onPath(dir, 'string'))
    vi.stubEnv('STRING_PORT', 'none')
    await expect(client.exec('main', '/info')).rejects.toThrow(/STRING_PORT/)
  })
})
