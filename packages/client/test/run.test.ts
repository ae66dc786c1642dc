import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunResult, StringClient } from '@string-os/client'
import { describe, expect, it } from 'vitest'
import { startTestDaemon } from '../../stringd/test/support/daemon.ts'

/** A daemon that answers `running` soon, and who speaks to it. */
async function shellWithClient(): Promise<{ client: StringClient; home: string }> {
  const { port, home } = await startTestDaemon({ shellWaitMs: 100 })
  return { client: new StringClient({ port }), home }
}

/** Begins when it is told to, and not before. */
const whenThere = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`

describe('run', () => {
  it('answers when the command has ended, however long that takes, with its status, folder and whole output', async () => {
    const { client, home } = await shellWithClient()
    const go = join(home, 'go')
    const running = client.run('bash:x', `echo begun; ${whenThere(go)}; cd /tmp; echo over >&2; (exit 3)`)
    await expect.poll(async () => (await client.exec('bash:x', '//info')).data?.running).toBe(true)
    writeFileSync(go, '')
    expect(await running).toMatchObject({
      ok: false,
      code: 'EXIT_3',
      exit: 3,
      cwd: '/tmp',
      output: 'begun\nover',
      truncated: false,
      whole: null,
    })
    expect(await client.run('bash:x', 'printf "a\\n\\n b \\n\\n"')).toMatchObject({
      ok: true,
      code: null,
      output: 'a\n\n b',
    })
  })

  it('has no output of whatever ran before it', async () => {
    const { client } = await shellWithClient()
    await client.exec('bash:x', 'echo earlier')
    await client.exec('bash:x', '(sleep 0.2; echo behind) & true')
    await client.exec('bash:x', 'sleep 0.4; true', { waitMs: 50 })
    await client.exec('bash:x', '//wait 5')
    expect((await client.run('bash:x', 'echo own')).output).toBe('own')
  })

  it('types nothing into what runs: that is BUSY, and names it', async () => {
    const { client, home } = await shellWithClient()
    const got = join(home, 'got')
    await client.exec('bash:x', `read line; echo "$line" > ${got}`)
    const refused = await client.run('bash:x', 'echo DEPLOYING')
    expect(refused).toMatchObject({ ok: false, code: 'BUSY', exit: null, output: '' })
    expect(refused.content).toContain('bash:x runs read line')
    expect((await client.exec('bash:x', 'echo DEPLOYING', { atPrompt: true })).code).toBe('BUSY')
    expect((await client.exec('bash:x', '//info')).data).toMatchObject({ running: true })
    expect(existsSync(got)).toBe(false)
  })

  it('has its shell to itself: one of several at once runs, and the others are BUSY without waiting', async () => {
    const { client, home } = await shellWithClient()
    const go = join(home, 'go')
    const commands = [0, 1, 2].map((number) => `${whenThere(go)}; echo r${number}`)
    const runs = commands.map((command) => client.run('bash:x', command))
    const ended: RunResult[] = []
    for (const each of runs) void each.then((result) => ended.push(result))
    await expect.poll(() => ended.map(({ code }) => code)).toEqual(['BUSY', 'BUSY'])
    expect(ended[0]?.content).toMatch(/bash:x runs until .*[\s\S]*topic bash:NAME of its own/)
    writeFileSync(go, '')
    const all = await Promise.all(runs)
    const outputs = all.map(({ ok, output }) => (ok ? output : null))
    expect(outputs.filter((output) => output !== null)).toEqual([`r${outputs.findIndex((output) => output !== null)}`])
  })

  it('is BUSY beside an exec that has its turn or waits for it, and beside what goes on without who began it', async () => {
    const { client, home } = await shellWithClient()
    const go = join(home, 'go')
    const held = [`cat > ${go}.got; echo ex`, '//wait 60'].map((command) => client.exec('bash:x', command))
    await expect.poll(async () => (await client.exec('bash:x', '//info')).data?.running).toBe(true)
    const refused = await client.run('bash:x', 'echo rn')
    expect(refused).toMatchObject({ code: 'BUSY', output: '' })
    expect(refused.content).toContain('bash:x runs cat > ')
    await client.exec('bash:x', '//key ctrl-d')
    await Promise.all(held)
    expect((await client.run('bash:x', 'echo rn')).output).toBe('rn')

    const stop = new AbortController()
    const left = client.run('bash:x', `${whenThere(go)}; echo b`, { signal: stop.signal, goesOn: true })
    await expect.poll(async () => (await client.exec('bash:x', '//info')).data?.running).toBe(true)
    stop.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    expect((await client.run('bash:x', 'echo c')).code).toBe('BUSY')
    writeFileSync(go, '')
    await expect.poll(async () => (await client.exec('bash:x', '//info')).data?.running).toBe(false)
    await expect.poll(async () => client.run('bash:x', 'echo c')).toMatchObject({ ok: true, output: 'c' })
  })

  it('runs at once after one that was ended', async () => {
    const { client } = await shellWithClient()
    for (let round = 0; round < 3; round += 1) {
      const stop = new AbortController()
      const running = client.run('bash:x', 'trap "" INT; sleep 60', { signal: stop.signal })
      await expect.poll(async () => (await client.exec('bash:x', '//info')).data?.running).toBe(true)
      stop.abort(new Error('enough'))
      await expect(running).rejects.toThrow('enough')
      expect(await client.run('bash:x', 'echo next')).toMatchObject({ ok: true, output: 'next' })
    }
  })

  it('ends the command with its signal, or leaves it where it shall go on', async () => {
    const { client } = await shellWithClient()
    for (const goesOn of [false, true]) {
      const stop = new AbortController()
      const running = client.run('bash:x', 'sleep 60', { signal: stop.signal, goesOn })
      await expect.poll(async () => (await client.exec('bash:x', '//info')).data?.running).toBe(true)
      stop.abort(new Error('enough'))
      await expect(running).rejects.toThrow('enough')
      if (goesOn) expect((await client.exec('bash:x', '//info')).data?.running).toBe(true)
      else await expect.poll(async () => (await client.exec('bash:x', '//info')).data?.running).toBe(false)
    }
    const late = new AbortController()
    const never = client.run('bash:late', 'sleep 60', { signal: late.signal })
    // Longer than its first answer: what runs is waited for.
    await expect.poll(async () => (await client.exec('bash:late', '//info')).data?.seconds).toBeGreaterThan(0)
    late.abort(new Error('enough'))
    await expect(never).rejects.toThrow('enough')
    expect((await client.exec('bash:late', '//info')).data?.running).toBe(false)
  })

  it('begins nothing more of a script that is ended between two of its programs', async () => {
    const { client, home } = await shellWithClient()
    const script = (file: string): string => `${'/bin/true\n'.repeat(900)}sleep 25\ntouch ${file}`
    for (let round = 0; round < 8; round += 1) {
      const file = join(home, `went-on-${round}`)
      const signal = AbortSignal.timeout(300 + 50 * round)
      await expect(client.run('bash:x', script(file), { signal })).rejects.toThrow('timeout')
      await expect.poll(async () => (await client.exec('bash:x', '//info')).data?.running).toBe(false)
      expect(existsSync(file), `round ${round}`).toBe(false)
    }
    expect(await client.run('bash:x', 'echo next')).toMatchObject({ ok: true, output: 'next' })
  })

  it('ends the command where what is told of its output throws, or leaves it where it shall go on', async () => {
    const { client } = await shellWithClient()
    const running = async () => (await client.exec('bash:x', '//info')).data?.running
    for (const script of ['echo a; sleep 600', 'sleep 0.8; echo a; sleep 600'])
      for (const goesOn of [false, true]) {
        const onOutput = () => {
          throw new Error('mine')
        }
        await expect(client.run('bash:x', script, { goesOn, onOutput })).rejects.toThrow('mine')
        expect(await running()).toBe(goesOn)
        if (goesOn) await client.sessions.cancel('bash:x')
      }
    // What is over is not ended once more: somebody else may have the shell by then.
    const atEnd = client.run('bash:x', 'echo a', {
      onOutput: () => {
        throw new Error('late')
      },
    })
    await expect(atEnd).rejects.toThrow('late')
  })

  it('is CANCELLED where somebody stops it, with what it printed, however early or late that is', async () => {
    const { client } = await shellWithClient()
    for (const seconds of [0, 1]) {
      const topic = `bash:x${seconds}` as const
      const told: string[] = []
      const running = client.run(topic, 'echo begun; sleep 600', { onOutput: (text) => told.push(text) })
      const info = async () => (await client.exec(topic, '//info')).data
      await expect.poll(async () => (await info())?.running).toBe(true)
      await expect.poll(async () => (await info())?.seconds).toBeGreaterThanOrEqual(seconds)
      await expect.poll(async () => (await client.sessions.show(topic)).text).toMatch(/^begun$/m)
      if (seconds > 0) expect(told).toEqual(['begun\n'])
      expect(await client.sessions.cancel(topic)).toBe(1)
      expect(await running).toMatchObject({ ok: false, code: 'CANCELLED', exit: null, output: 'begun' })
    }
  })

  it('tells what it printed where its daemon goes away, also while that is being told', async () => {
    for (const isBusy of [false, true]) {
      const { port, stop } = await startTestDaemon({ shellWaitMs: 100 })
      const client = new StringClient({ port })
      const told: string[] = []
      let stopped: Promise<unknown> | null = null
      const running = client.run('bash:x', 'echo begun; sleep 600', {
        onOutput: (text) => {
          told.push(text)
          if (isBusy) stopped = stop()
        },
      })
      await expect.poll(() => told).toEqual(['begun\n'])
      await (stopped ?? stop())
      const { code, output } = await running
      // A daemon that is stopped says so to whoever waits.
      expect(['CANCELLED', 'STREAM_INCOMPLETE']).toContain(code)
      expect(output).toBe('begun')
    }
  })

  it('hands output over as it comes, each line once, and of a line that is written anew the last state', async () => {
    const { client } = await shellWithClient()
    const told: string[] = []
    const script = "echo one; sleep 0.3; for i in 1 2 3; do printf '\\rstep %s' $i; sleep 0.2; done; echo; echo two"
    const { output } = await client.run('bash:x', script, { onOutput: (text) => told.push(text) })
    expect(told.length).toBeGreaterThan(1)
    expect(told.join('')).toBe('one\nstep 3\ntwo\n')
    expect(output).toBe('one\nstep 3\ntwo')
  })

  it('hands over the first that is printed at once, not with what comes half a second later', async () => {
    const { client } = await shellWithClient()
    await client.exec('bash:x', 'true')
    const firsts: (string | undefined)[] = []
    // A machine that is busy may be late once.
    while (!firsts.includes('one\n') && firsts.length < 5) {
      const told: string[] = []
      await client.run('bash:x', 'echo one; sleep 0.4; echo two', { onOutput: (text) => told.push(text) })
      firsts.push(told[0])
    }
    expect(firsts).toContain('one\n')
  })

  it('keeps both ends of what is very long, tells where the whole is, and hands all of it over', async () => {
    const { client } = await shellWithClient()
    let told = ''
    const { output, truncated, whole, exit } = await client.run('bash:x', 'seq 1 300000', {
      onOutput: (text) => {
        told += text
      },
    })
    expect({ exit, truncated }).toEqual({ exit: 0, truncated: true })
    const all = readFileSync(String(whole), 'utf8')
    expect(all.length).toBe(1_988_895)
    expect(told).toBe(all)
    expect(output).toMatch(/^1\n2\n/)
    expect(output).toMatch(/\n… \d+ characters left out; the whole is in \/.*\.txt …\n\d+\n/)
    expect(output).toMatch(/\n300000$/)
    expect(output.length).toBeLessThan(1_100_000)
  })

  it('hands over all of what is printed faster than it is read, and keeps both ends of one long line', async () => {
    const { client } = await shellWithClient()
    let next = 1
    let rest = ''
    const all = await client.run('bash:x', 'seq 1 900000', {
      onOutput: (text) => {
        const lines = `${rest}${text}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line === String(next)) next += 1
      },
    })
    expect(next).toBe(900_001)
    expect(all.output).toMatch(/^1\n2\n[\s\S]*\n899999\n900000$/)
    const [, left] = /\n… (\d+) characters left out; /.exec(all.output) ?? []
    const shown = all.output.replace(/\n… [^\n]* …\n/, '\n').length
    // The line end at the end of all is not handed back.
    expect(Number(left) + shown).toBe(6_188_895 - 1)
    const line = await client.run('bash:x', 'head -c 3000000 /dev/zero | tr "\\0" x; echo; echo fin')
    expect(line.output).toMatch(/^x{400000,}\n… \d+ characters left out; .* …\nx{400000,}\nfin$/)
  })

  it('waits for what is told of its output, and rejects with what that rejects with', async () => {
    const { client } = await shellWithClient()
    let busy = 0
    let most = 0
    const { ok } = await client.run('bash:x', 'for i in 1 2 3 4; do echo $i; sleep 0.1; done', {
      onOutput: async () => {
        busy += 1
        most = Math.max(most, busy)
        await new Promise((resolve) => setTimeout(resolve, 250))
        busy -= 1
      },
    })
    expect({ ok, most }).toEqual({ ok: true, most: 1 })
    const failing = client.run('bash:x', 'echo a; sleep 3', { onOutput: () => Promise.reject(new Error('no room')) })
    await expect(failing).rejects.toThrow('no room')
  })

  it('has what a program printed: tabs, and no word of the shell that ends', async () => {
    const { client } = await shellWithClient()
    expect((await client.run('bash:x', 'printf "a\\tb\\n\\tc\\n"')).output).toBe('a\tb\n\tc')
    expect((await client.exec('main', '/exec printf "a\\tb"')).data).toMatchObject({ output: 'a\tb' })
    expect(await client.run('bash:x', 'echo hi; exit 4')).toMatchObject({ exit: 4, output: 'hi' })
    expect(await client.run('bash:x', 'exit 5')).toMatchObject({ exit: 5, output: '' })
    expect(await client.run('bash:x', 'echo exit')).toMatchObject({ exit: 0, output: 'exit' })
  })

  it('tells the status of a command that ends its shell, and why one could not be typed', async () => {
    const { client } = await shellWithClient()
    expect(await client.run('bash:x', 'sleep 0.3; exit 4')).toMatchObject({ code: 'EXIT_4', exit: 4 })
    expect(await client.run('bash:y', 'true', { cwd: '/nowhere' })).toMatchObject({ ok: false, exit: null })
  })

  it('says what it is for where it is given something else', async () => {
    const client = new StringClient({ port: 1 })
    // @ts-expect-error: this one has no shell.
    await expect(client.run('main', 'make')).rejects.toThrow(
      'run(topic, command): main has no shell; name a topic bash:NAME',
    )
    // What is only known at run time is looked at then.
    const named: string = 'main'
    await expect(client.run(named, 'make')).rejects.toThrow('main has no shell')
    await expect(client.run('bash:x', '//wait 3')).rejects.toThrow(
      '//wait 3 is no shell command: exec(topic, command) runs it',
    )
    // @ts-expect-error: there is no such option.
    await expect(client.run('bash:x', 'make', { waitMs: 3 })).rejects.toThrow('unknown option waitMs')
  })
})
