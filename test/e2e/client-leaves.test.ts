import { spawn } from 'node:child_process'
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
