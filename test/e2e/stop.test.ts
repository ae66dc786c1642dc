import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMembers } from '@string-os/bridge/reap'
import { describe, expect, it } from 'vitest'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { isRunning, type Place, STRING, stringPlace } from '../support/cli.ts'
import { queueLength } from '../support/http.ts'

/** Everything that some topic of this daemon started and that lives. */
function alive({ dataDir }: Place): number[] {
  return familyMembers({ owner: `${readFileSync(join(dataDir, 'id'), 'utf8')}:` })
}

describe('Ctrl-C on a command', () => {
  it('ends it with all that it started, and the topic is free', async () => {
    const place = stringPlace()
    await place.string(['k', '/info'])
    const terminal = openTerminal(place, ['k', '/exec sleep 300 & sleep 301'])
    await expect.poll(() => alive(place).length).toBeGreaterThan(1)
    terminal.type('\x03')
    expect(await terminal.exited).toBe(130)
    await expect.poll(() => alive(place)).toEqual([])
    expect((await place.string(['k', '--plain', '/exec echo free'])).stdout).toContain('free')
    const shell = openTerminal(place, ['bash:k', 'echo one; printf tw; sleep 1; echo o; sleep 302'])
    await shell.shows(/^one\ntwo$/m)
    shell.type('\x03')
    expect(await shell.exited).toBe(130)
    expect(shell.shown()).toMatch(/one\ntwo\n(?:\^C)?\n?ERROR\(CANCELLED\): The command was stopped before it ended/)
    expect((await place.string(['bash:k', '--plain', '//info'])).stdout).toContain('running: (nothing)')
    const left = openTerminal(place, ['bash:k', '--wait', '1', 'echo three; sleep 303'])
    await left.shows(/three\nrunning \| cwd: .*\nstring: it goes on in bash:k: /)
    expect(await left.exited).toBe(0)
  })
})

describe('string stop', () => {
  it('ends what runs in a topic, and says so to both sides', async () => {
    const place = stringPlace()
    expect(await place.string(['stop', 'k'])).toMatchObject({
      status: 0,
      stdout: 'Nothing runs in k: the daemon does not run\n',
    })
    expect(place.daemonPid()).toBeNull()
    const running = place.string(['k', '--plain', '/exec sleep 300'])
    await expect.poll(() => alive(place).length).toBeGreaterThan(0)
    expect(await place.string(['stop', 'file:k'])).toMatchObject({
      status: 0,
      stdout: 'Stopped 1 command in k; the daemon goes on (string stop ends it)\n',
    })
    expect(alive(place)).toEqual([])
    expect(await place.string(['stop', 'k'])).toMatchObject({
      status: 0,
      stdout: 'Nothing runs in k; the daemon goes on (string stop ends it)\n',
    })
    expect(await place.string(['stop', 'kk'])).toMatchObject({
      status: 1,
      stderr: 'string: There is no topic kk that is open. Did you mean k?; string main /topics lists those that are\n',
    })
    await place.string(['agent', 'add', 'ann'])
    expect((await place.string(['stop', 'ann'])).stderr).toContain('string agent stop ann ends what that agent does')
    expect(JSON.parse((await place.string(['stop', 'ann', '--json'])).stdout)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await running).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('ERROR(CANCELLED): The command was stopped before it ended'),
    })
  })

  it('with --all ends those who wait, and with --json says it for programs', async () => {
    const place = stringPlace()
    await place.string(['k', '/info'])
    const both = [place.string(['k', '/exec sleep 300']), place.string(['k', '/exec sleep 301'])]
    await expect.poll(() => queueLength(place.daemonPort(), 'k')).toBe(1)
    expect((await place.string(['stop', 'k', '--all', '--json'])).stdout).toBe('{"topic":"k","cancelled":2}\n')
    for (const { stdout } of await Promise.all(both)) expect(stdout).toContain('ERROR(CANCELLED)')
  })

  it('alone ends the daemon, and says so', async () => {
    const place = stringPlace()
    await place.string(['k', '/info'])
    const pid = place.daemonPid() ?? 0
    const { status, stdout } = await place.string(['stop'])
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `stringd stopped (pid ${pid}): the daemon, with all that it ran\n`,
    })
    expect(isRunning(pid)).toBe(false)
  })

  it.each([[['stop', '--all']], [['stop', 'a b']], [['stop', 'a', 'b']]])('%j is a mistake of usage', async (args) => {
    const { status, stderr } = await stringPlace().string(args)
    expect(status).toBe(2)
    expect(stderr).toMatch(/^string: /)
  })
})

describe('a caller that waits at a terminal', () => {
  it('is told what it waits for, since when, and how to stop it', async () => {
    const place = stringPlace()
    await place.string(['k', '/info'])
    const running = place.string(['k', '/exec sleep 300'])
    await expect.poll(() => alive(place).length).toBeGreaterThan(0)
    const terminal = openTerminal(place, ['k', '/info'])
    await terminal.shows(/waiting in k for \/exec sleep 300, which runs for \d+ s \(string stop k ends it\)/)
    await place.string(['stop', 'k'])
    await running
    await terminal.shows('topic: k (tab)')
    expect(await terminal.exited).toBe(0)
  })
})

describe('SIGKILL of the daemon while a command runs', () => {
  it('is an answer that broke off: the command may have run', async () => {
    const place = stringPlace()
    await place.string(['/info'])
    const child = spawn(process.execPath, [STRING, 'main', '--json', '/exec sleep 300'], {
      env: place.env,
      cwd: place.dir,
    })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
    })
    const exited = new Promise((resolve) => {
      child.on('close', resolve)
    })
    await expect.poll(() => alive(place).length).toBeGreaterThan(0)
    process.kill(place.daemonPid() ?? 0, 'SIGKILL')
    expect(await exited).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      code: 'STREAM_INCOMPLETE',
      content: expect.stringContaining('the command may have run'),
    })
    await place.string(['/info'])
    expect(alive(place)).toEqual([])
  })
})
