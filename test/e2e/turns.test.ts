import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askTurn, giveProfile, turnOf } from '../../packages/stringd/test/support/turns.ts'
import { startForeground } from '../support/foreground.ts'
import { call } from '../support/http.ts'

async function startWithAgent(script: string, keys = '') {
  const daemon = await startForeground()
  const home = join(daemon.dir, 'home')
  mkdirSync(home)
  giveProfile(home, script, keys)
  const { json } = await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'ada', home } })
  expect(json).toMatchObject({ agent_id: 'ada', created: true })
  const end = async (): Promise<void> => {
    daemon.child.kill('SIGTERM')
    expect(await daemon.exited).toBe(0)
  }
  return { ...daemon, home, end }
}

describe('an agent that runs in the daemon', () => {
  it('reaches its own String: string main /info in its turn runs as that agent', async () => {
    const { port, dataDir, home, end } = await startWithAgent(
      `echo "$STRING_AGENT $STRING_PORT $STRING_DATA_DIR"; pwd
string main /info && string main $'/write note.md\nA note' > /dev/null && string main '/open note.md'`,
    )
    const { result } = await askTurn(port, { message: 'Who are you?' }, 'ada')
    const [first, folder, ...rest] = result.reply.split('\n')
    expect([first, folder]).toEqual([`ada ${port} ${dataDir}`, home])
    expect(rest.join('\n')).toMatch(/ada/)
    expect(rest.join('\n')).toContain('A note')
    const { json } = await call(port, 'GET', '/sessions')
    expect((json as { sessions: { agent_id: string }[] }).sessions.map(({ agent_id }) => agent_id)).toEqual(['ada'])
    await end()
  })

  it('is handed one String, not its own turn: a string that its shell starts does not wait for the turn', async () => {
    const { port, end } = await startWithAgent(
      `string bash:x 'echo from the shell of $STRING_AGENT'; string main '/open agent'`,
    )
    const { result, turnId } = await askTurn(port, { message: 'Go' }, 'ada')
    expect(result.reply).toContain('from the shell of ada')
    expect(result.reply).toContain(turnId)
    expect(await turnOf(port, turnId)).toMatchObject({ state: 'done' })
    await end()
  })

  it('a profile that is missing or broken is refused at registration, with line and column', async () => {
    const { port, dir, end } = await startWithAgent('echo ok')
    const path = join(dir, 'broken.yaml')
    writeFileSync(path, 'command: sh\nmax_steps: many\n')
    const broken = await call(port, 'POST', '/agents', { body: { agent_id: 'bob', profile: path } })
    expect(broken).toMatchObject({ status: 400, json: { error: expect.stringContaining(`${path}:2:`) } })
    const missing = join(dir, 'nothing.yaml')
    const none = await call(port, 'POST', '/agents', { body: { agent_id: 'bob', profile: missing } })
    expect(none).toMatchObject({ status: 400, json: { error: expect.stringContaining(missing) } })
    writeFileSync(path, 'command: no-such-program\n')
    const warned = await call(port, 'POST', '/agents', { body: { agent_id: 'bob', profile: path } })
    expect(warned).toMatchObject({ status: 200, json: { warnings: [expect.stringContaining('no-such-program')] } })
    const home = join(dir, 'carols')
    mkdirSync(join(home, '.string'), { recursive: true })
    writeFileSync(join(home, '.string/profile.yaml'), 'command: [\n')
    const inHome = await call(port, 'POST', '/agents', { body: { agent_id: 'carol', home } })
    expect(inHome).toMatchObject({ status: 400, json: { error: expect.stringMatching(/profile\.yaml:\d+:\d+/) } })
    await end()
  })
})
