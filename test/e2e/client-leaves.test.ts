import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { StringClient } from '@string-os/client'
import { expect, it, onTestFinished } from 'vitest'
import { STRING, stringPlace } from '../support/cli.ts'

const CLIENT = new URL('../../client/dist/index.js', pathToFileURL(STRING)).href

it('a program that is killed takes along what it runs with run, soon or late, unless that goes on', async () => {
  const place = stringPlace()
  await place.string(['start'])
  const port = place.daemonPort()
  const client = new StringClient({ port })
  const info = async () => (await client.exec('bash:x', '//info')).data
  for (const [options, seconds, goesOn] of [
    ['{}', 0, false],
    ['{}', 1, false],
    ['{ onOutput() {} }', 1, false],
    ['{ goesOn: true }', 1, true],
  ] as const) {
    const program = `import { StringClient } from '${CLIENT}'; await new StringClient({ port: ${port} }).run('bash:x', 'sleep 600', ${options})`
    const runs = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
    onTestFinished(() => void runs.kill('SIGKILL'))
    await expect.poll(async () => (await info())?.running, { timeout: 20_000 }).toBe(true)
    await expect.poll(async () => (await info())?.seconds, { timeout: 20_000 }).toBeGreaterThanOrEqual(seconds)
    runs.kill('SIGINT')
    await new Promise((resolve) => runs.on('exit', resolve))
    if (goesOn) expect((await info())?.running).toBe(true)
    else await expect.poll(async () => (await info())?.running, { timeout: 20_000 }).toBe(false)
  }
  expect(await client.run('bash:x', 'echo next')).toMatchObject({ code: 'BUSY' })
  expect(await client.sessions.cancel('bash:x')).toBe(1)
  expect(await client.run('bash:x', 'echo next')).toMatchObject({ output: 'next' })
})

it('a run whose daemon is killed is STREAM_INCOMPLETE, with what it printed', async () => {
  const place = stringPlace()
  await place.string(['start'])
  const told: string[] = []
  const running = new StringClient({ port: place.daemonPort() }).run('bash:x', 'echo begun; sleep 600', {
    onOutput: (text) => told.push(text),
  })
  await expect.poll(() => told, { timeout: 20_000 }).toEqual(['begun\n'])
  process.kill(place.daemonPid() ?? 0, 'SIGKILL')
  expect(await running).toMatchObject({ ok: false, code: 'STREAM_INCOMPLETE', exit: null, cwd: null, output: 'begun' })
})

it.each([
  ['is killed while', 'for (;;);', 'SIGKILL'],
  ['ends because of what is thrown while', "throw new Error('mine')", null],
] as const)('a program that %s it is told of output takes the command along', async (_name, works, signal) => {
  const place = stringPlace()
  await place.string(['start'])
  const port = place.daemonPort()
  const client = new StringClient({ port })
  const info = async () => (await client.exec('bash:x', '//info')).data
  const told = join(place.dir, 'told')
  const onOutput = `() => { writeFileSync('${told}', ''); ${works} }`
  const program = `import { writeFileSync } from 'node:fs'; import { StringClient } from '${CLIENT}'
await new StringClient({ port: ${port} }).run('bash:x', 'echo a; sleep 600', { onOutput: ${onOutput} })`
  const runs = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
  onTestFinished(() => void runs.kill('SIGKILL'))
  const ended = new Promise((resolve) => runs.on('exit', resolve))
  await expect.poll(() => existsSync(told), { timeout: 20_000 }).toBe(true)
  if (signal !== null) runs.kill(signal)
  await ended
  await expect.poll(async () => (await info())?.running, { timeout: 20_000 }).toBe(false)
  expect(await client.run('bash:x', 'echo next')).toMatchObject({ output: 'next' })
})

it.each([
  ['prints faster than anybody reads', 'yes chatty', ''],
  ['the same, and somebody is told of it', 'yes chatty', 'onOutput: () => undefined'],
  [
    'is worked on, slower than it prints',
    'while :; do echo line; sleep 0.05; done',
    'onOutput: () => new Promise((done) => setTimeout(done, 3_000))',
  ],
] as const)('a program that is killed takes along a command whose output %s', async (_name, command, options) => {
  const place = stringPlace()
  await place.string(['start'])
  const port = place.daemonPort()
  const client = new StringClient({ port })
  const info = async () => (await client.exec('bash:x', '//info')).data
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const program = `import { StringClient } from '${CLIENT}'; await new StringClient({ port: ${port} }).run('bash:x', '${command}', { ${options} })`
    const runs = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
    onTestFinished(() => void runs.kill('SIGKILL'))
    await expect.poll(async () => (await info())?.running, { timeout: 20_000 }).toBe(true)
    await expect.poll(async () => (await info())?.seconds, { timeout: 20_000 }).toBeGreaterThanOrEqual(1)
    runs.kill(signal)
    await new Promise((resolve) => runs.on('exit', resolve))
    await expect.poll(async () => (await info())?.running, { timeout: 20_000 }).toBe(false)
  }
  expect(await client.run('bash:x', 'echo next')).toMatchObject({ output: 'next' })
})

it('who left while the daemon hung has left when it goes on, also where the time of their look is over by then', async () => {
  const place = stringPlace()
  await place.string(['start'])
  const pid = place.daemonPid() ?? 0
  const client = new StringClient({ port: place.daemonPort() })
  const info = async () => (await client.exec('bash:x', '//info')).data
  const typed = { atPrompt: true, seen: '', cancelOnLeave: true } as const
  const { data } = await client.exec('bash:x', 'sleep 600', { ...typed, waitMs: 100 })
  expect(data?.running).toBe(true)
  const over = new AbortController()
  const seen = data?.place ?? ''
  const look = client.exec('bash:x', '//wait 30', {
    ...typed,
    seen,
    waitMs: 1_000,
    signal: over.signal,
  })
  await setTimeout(300)
  process.kill(pid, 'SIGSTOP')
  over.abort(new Error('enough'))
  await expect(look).rejects.toThrow('enough')
  await setTimeout(1_500)
  process.kill(pid, 'SIGCONT')
  await expect.poll(async () => (await info())?.running, { timeout: 20_000 }).toBe(false)
})
