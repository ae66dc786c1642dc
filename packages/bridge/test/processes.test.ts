import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'
import { AGENTS, hasPython, profile, turn } from './support/turn.ts'

/** Of all living processes on the machine, those with this text in their environment; zombies have none. */
function processesWith(mark: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark)
    } catch {
      // Gone meanwhile, or not ours.
      return false
    }
  })
}

const grace = 'kill_grace_secs: 0.3'
const marked = (mark: string) => `${grace}\nenv: { MARK: "${mark}" }`

describe('no turn leaves a process behind', () => {
  it.each([
    ['keeps the output open', 'hold-output.sh'],
    ['moved to a session of its own', 'own-session.sh'],
    ...(hasPython ? [['forked twice, left the session and ignores TERM', 'fork-twice.py']] : []),
  ])('when a child %s', async (_, agent) => {
    const mark = `mark-${agent}-${process.pid}`
    const { result } = await turn(profile(agent, [], marked(mark)))
    expect(result).toMatchObject({ ok: true, reply: 'an answer', exit_code: 0 })
    expect(processesWith(mark)).toEqual([])
  })

  it('when the agent and its child ignore TERM', async () => {
    const mark = `mark-ignore-${process.pid}`
    const { result } = await turn(profile('ignore-term.sh', [], `${marked(mark)}\ntimeout_secs: 0.5`))
    expect(result.timed_out).toBe(true)
    expect(processesWith(mark)).toEqual([])
  })

  it('and one for which the answer waited is told, with what to use in place of it', async () => {
    const { result, warnings } = await turn(profile('hold-output.sh', [], grace))
    expect(result).toMatchObject({ ok: true, reply: 'an answer' })
    expect(warnings).toEqual([
      'Ended 1 program that the agent left behind; string bash:NAME COMMAND runs one that is to go on',
    ])
  })

  it('and a child that ends within the grace may have the last word', async () => {
    const { result, warnings } = await turn(profile('answer-late.sh', [], 'kill_grace_secs: 20'))
    expect(result.reply).toBe('from the agent\nfrom the child')
    expect(warnings).toEqual([])
  })

  it('however often and quickly it happens', async () => {
    const mark = `mark-often-${process.pid}`
    const yaml = profile('own-session.sh', [], marked(mark))
    for (let round = 0; round < 10; round += 1) await Promise.all([turn(yaml), turn(yaml), turn(yaml)])
    expect(processesWith(mark)).toEqual([])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('when the bridge itself gets %s', async (signal) => {
    const mark = `mark-${signal}-${process.pid}`
    const bridge = await startBridge('ignore-term.sh', mark)
    expect(processesWith(mark).length).toBeGreaterThan(1)
    bridge.kill(signal)
    expect(await once(bridge, 'exit')).toEqual([130, null])
    expect(processesWith(mark)).toEqual([])
  })

  it('when the agent is a bridge itself and is ended by the outer one', async () => {
    const mark = `mark-nested-${process.pid}`
    const inner = writeProfile('ignore-term.sh', mark)
    const stop = new AbortController()
    const yaml = profile('run-turn.mjs', [inner], 'kill_grace_secs: 0\nenv_inherit: all')
    const run = turn(yaml, { signal: stop.signal, environment: process.env })
    await expect.poll(() => processesWith(mark).length).toBeGreaterThan(1)
    stop.abort()
    expect((await run).result.exit_code).toBe(130)
    expect(processesWith(mark)).toEqual([])
  })

  it('and nothing waits for what got out of reach but holds the output', async () => {
    const away = join(tempDir(), 'pid')
    const script = `env -i setsid /bin/sh -c 'echo $$ > "$0"; exec sleep 60' ${away} & while [ ! -s ${away} ]; do sleep 0.01; done; echo done`
    const { result } = await turn(`command: ${JSON.stringify(['sh', '-c', script])}\n${grace}`)
    expect(result).toMatchObject({ ok: true, reply: 'done' })
    process.kill(Number(readFileSync(away, 'utf8')), 'SIGKILL')
  })
})

function writeProfile(agent: string, mark: string): string {
  const path = join(tempDir(), 'profile.yaml')
  writeFileSync(path, `command: ${AGENTS}/${agent}\n${marked(mark)}\n`)
  return path
}

/** A bridge in a process of its own, whose agent has begun. */
async function startBridge(agent: string, mark: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(AGENTS, 'run-turn.mjs'), writeProfile(agent, mark)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}
