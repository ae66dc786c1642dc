import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, exec, queueLength } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

/** What one does that was never asked for anything. */
const IDLE = {
  state: 'idle',
  paused: false,
  has_profile: false,
  running: 0,
  waiting: 0,
  turn: null,
  last_turn: null,
  silent_since: null,
  pending_events: 0,
  approvals: 0,
}

describe('GET /agents', () => {
  it('lists id, home, allowedPaths and createdAt of every agent, and what it does', async () => {
    const { port, home } = await startTestDaemon()
    const { status, json } = await call(port, 'GET', '/agents')
    expect(status).toBe(200)
    expect(json).toEqual({
      agents: [
        {
          id: 'default',
          home,
          allowedPaths: [],
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
          ...IDLE,
        },
      ],
    })
  })
})

describe('POST /agents', () => {
  it('registers: created is true the first time, false after, and createdAt is preserved', async () => {
    const { port, dir } = await startTestDaemon({ register: false })
    const body = { agent_id: 'bob', home: join(dir, 'bob') }
    expect((await call(port, 'POST', '/agents', { body })).json).toEqual({ ...body, created: true })
    const before = (await call(port, 'GET', '/agents')).json
    expect((await call(port, 'POST', '/agents', { body })).json).toEqual({ ...body, created: false })
    expect((await call(port, 'GET', '/agents')).json).toEqual(before)
  })

  it('updates only fields provided: without home, a stored home is not clobbered', async () => {
    const { port, home } = await startTestDaemon()
    const { json } = await call(port, 'POST', '/agents', { body: { agent_id: 'default', allowed_paths: ['/usr'] } })
    expect(json).toEqual({ agent_id: 'default', home, created: false })
    expect((await call(port, 'GET', '/agents')).json).toMatchObject({ agents: [{ home, allowedPaths: ['/usr'] }] })
  })

  it('says what an allowed path opens that is no folder, or is not there', async () => {
    const { port, dir, home } = await startTestDaemon()
    const [file, gone] = [join(home, 'a.md'), join(dir, 'gone')]
    writeFileSync(file, 'x')
    const { json } = await call(port, 'POST', '/agents', {
      body: { agent_id: 'bob', allowed_paths: [dir, file, gone] },
    })
    expect(json).toMatchObject({
      warnings: [
        `${file} is a file: it alone is opened; allow its folder for what is beside it`,
        `${gone} does not exist; it is opened once it can be`,
      ],
    })
  })

  it('says what stays closed although it is allowed', async () => {
    const { port, home, dataDir } = await startTestDaemon()
    mkdirSync(join(home, '.string'), { recursive: true })
    const kept = [dataDir, join(dataDir, 'state.db'), join(home, '.string')]
    const { json } = await call(port, 'POST', '/agents', { body: { agent_id: 'bob', allowed_paths: [home, ...kept] } })
    expect(json).toMatchObject({
      warnings: kept.map((path) => `${path} stays closed to every agent: it holds what String manages`),
    })
  })

  it('says of a field that there is not that it is ignored, and which one may be meant', async () => {
    const { port } = await startTestDaemon()
    const body = { agent_id: 'bob', allowedPaths: ['/usr'], zzz: 1 }
    expect((await call(port, 'POST', '/agents', { body })).json).toMatchObject({
      created: true,
      warnings: [
        'Unknown field allowedPaths is ignored; did you mean allowed_paths?',
        'Unknown field zzz is ignored; there are agent_id, home, allowed_paths, profile, check',
      ],
    })
  })

  it('names what it does not know by the id that was asked for', async () => {
    const { port } = await startTestDaemon()
    const [turn, event, delivery, approval] = ['turns/x9', 'events/x9', 'deliveries/x9', 'approvals/x9'].map((path) =>
      call(port, 'GET', `/${path}`),
    )
    expect((await turn)?.json).toEqual({
      error: 'Unknown turn: x9',
      next: 'GET /turns lists the latest, with their whole ids',
    })
    expect((await event)?.json).toEqual({ error: 'Unknown event: x9', next: 'GET /events lists them' })
    expect((await delivery)?.json).toEqual({ error: 'Unknown delivery: x9', next: 'GET /deliveries lists them' })
    expect((await approval)?.json).toEqual({ error: 'Unknown approval: x9', next: 'GET /approvals lists them' })
    expect((await call(port, 'DELETE', '/turns/x9')).json).toEqual({
      error: 'Unknown turn: x9',
      next: 'GET /turns lists the latest, with their whole ids',
    })
    expect((await call(port, 'GET', '/turns/x9/stream')).json).toEqual({
      error: 'Unknown turn: x9',
      next: 'GET /turns lists the latest, with their whole ids',
    })
  })

  it('gives a new agent without an explicit home ~/.string/agents/{agent_id}, made for its owner alone (S9, S15)', async () => {
    const { port, dir } = await startTestDaemon({ register: false })
    const { json } = await call(port, 'POST', '/agents', { body: { agent_id: 'bob' } })
    const home = join(dir, 'string/agents/bob')
    expect(json).toEqual({ agent_id: 'bob', home, created: true })
    expect(statSync(home).mode & 0o777).toBe(0o700)
  })

  it('answers 400 agent_id required', async () => {
    const { port } = await startTestDaemon({ register: false })
    for (const body of [{}, { agent_id: '' }, { agent_id: null }, []]) {
      expect(await call(port, 'POST', '/agents', { body })).toMatchObject({
        status: 400,
        json: { error: 'agent_id required' },
      })
    }
  })

  it('S9, S10: refuses bad ids and types with 400, and then nothing is registered or created', async () => {
    const { port, dir } = await startTestDaemon({ register: false })
    const bodies = [
      { agent_id: '../../etc' },
      { agent_id: '..' },
      { agent_id: '.hidden' },
      { agent_id: 'a/b' },
      { agent_id: 'a\u0000' },
      { agent_id: ['a'] },
      { agent_id: 'a', home: 'relative/home' },
      { agent_id: 'a', home: 7 },
      { agent_id: 'a', home: '/x\u0000' },
      { agent_id: 'a', allowed_paths: [7] },
      { agent_id: 'a', allowed_paths: {} },
      { agent_id: 'a', profile: [] },
    ]
    for (const body of bodies)
      expect((await call(port, 'POST', '/agents', { body })).status, JSON.stringify(body)).toBe(400)
    expect((await call(port, 'GET', '/agents')).json).toEqual({ agents: [] })
    expect(existsSync(join(dir, 'string'))).toBe(false)
  })

  it('S10: keeps names such as __proto__ as ordinary names', async () => {
    const { port } = await startTestDaemon({ register: false })
    for (const id of ['__proto__', 'constructor', 'toString']) {
      const probe = await call(port, 'POST', '/exec', { headers: { 'X-Agent-Id': id }, body: { cmd: '/info' } })
      expect(probe).toMatchObject({ status: 401, json: { error: `Unknown agent: ${id}` } })
    }
    await call(port, 'POST', '/agents', { body: { agent_id: '__proto__' } })
    expect((await exec(port, '/info', { agent: '__proto__', topic: '__proto__' })).head).toMatchObject({
      ok: true,
      topic: '__proto__',
    })
    expect((await call(port, 'GET', '/agents')).json).toMatchObject({ agents: [{ id: '__proto__' }] })
  })

  it('S13: closes another agent’s .string however its home was spelled', async () => {
    const { port, dir } = await startTestDaemon({ register: false })
    mkdirSync(join(dir, 'ws/real/.string'), { recursive: true })
    writeFileSync(join(dir, 'ws/real/.string/config.json'), 'SECRET')
    symlinkSync('real', join(dir, 'ws/link'))
    for (const home of [`${dir}/ws/real/`, `${dir}/ws/x/../real`, `${dir}//ws/./real`, `${dir}/ws/link`]) {
      await call(port, 'POST', '/agents', { body: { agent_id: 'b', home } })
      await call(port, 'POST', '/agents', {
        body: { agent_id: 'a', home: join(dir, 'a'), allowed_paths: [join(dir, 'ws')] },
      })
      const { body } = await exec(port, `/open ${dir}/ws/real/.string/config.json`, { agent: 'a', topic: 't' })
      expect(body, home).toContain('ERROR(INVALID_PATH)')
      await call(port, 'DELETE', '/agents/b')
    }
  })

  it('S20: takes at most 256 allowed paths, each once', async () => {
    const { port } = await startTestDaemon()
    const many = (count: number) => Array.from({ length: count }, (_, index) => `/p${index}`)
    expect(
      (await call(port, 'POST', '/agents', { body: { agent_id: 'default', allowed_paths: many(257) } })).status,
    ).toBe(400)
    await call(port, 'POST', '/agents', { body: { agent_id: 'default', allowed_paths: ['/srv/', '/srv', '//srv/.'] } })
    expect((await call(port, 'GET', '/agents')).json).toMatchObject({ agents: [{ allowedPaths: ['/srv'] }] })
  })

  describe('the profile', () => {
    const register = (port: number, fields: object) =>
      call(port, 'POST', '/agents', { body: { agent_id: 'bob', ...fields } })

    it.each([
      ['that is not there', null, /^There is no file PATH\. Check the path, or write one with: .+$/],
      ['that is bad YAML', 'command: ./x\nargs: [a\n', /^PATH:2:7: Bad YAML: \[ is not closed.+$/],
      ['with a wrong type', 'command: ./x\nstreaming: often\n', /^PATH:2:12: `streaming` must be true or false\. .+$/],
      ['with several problems', 'command: ./x\nargs: 1\nstdin: no\n', /^PATH:2:7: .+\nPATH:3:8: .+$/],
    ])('S10: %s is a 400 with its place, and then nothing is registered or created', async (_, yaml, expected) => {
      const { port, dir } = await startTestDaemon({ register: false })
      const path = join(dir, 'profile.yaml')
      if (yaml !== null) writeFileSync(path, yaml)
      const { status, json } = await register(port, { home: join(dir, 'bob'), profile: path })
      expect(status).toBe(400)
      expect((json as { error: string }).error.replaceAll(path, 'PATH')).toMatch(expected)
      expect((await call(port, 'GET', '/agents')).json).toEqual({ agents: [] })
      expect(existsSync(join(dir, 'bob'))).toBe(false)
    })

    it('that is sound is stored, and one of an agent that is there takes the place of the old', async () => {
      const { port, dir } = await startTestDaemon({ register: false })
      const profile = join(dir, 'profile.yaml')
      writeFileSync(profile, 'command: /bin/true\nwake: events\n')
      expect((await register(port, { profile })).json).toEqual({
        agent_id: 'bob',
        home: join(dir, 'string/agents/bob'),
        created: true,
      })
      const bad = join(dir, 'bad.yaml')
      writeFileSync(bad, '{')
      expect((await register(port, { profile: bad })).status).toBe(400)
      expect((await call(port, 'GET', '/agents')).json).toMatchObject({ agents: [{ id: 'bob', profile }] })
    })

    it('whose program is missing, or that names what is not set, is registered with warnings', async () => {
      const { port, dir, dataDir } = await startTestDaemon({ register: false })
      const profile = join(dir, 'profile.yaml')
      writeFileSync(profile, 'command: ./missing.sh\nstreeming: true\nenv: { A: "${FROM_DAEMON}", B: "${NOT_SET}" }\n')
      const { status, json } = await register(port, { profile })
      expect(status).toBe(200)
      expect((json as { warnings: string[] }).warnings).toEqual([
        `${profile}:2:1: Unknown key \`streeming\` is ignored. Did you mean \`streaming\`?`,
        `${profile}: The program ${dir}/missing.sh was not found. Install it, or mend \`command\` in the profile.`,
        `${profile}: \${NOT_SET} in the key \`env\` is not set, so B holds nothing in its place. Write NOT_SET=… into ${dataDir}/env`,
      ])
    })

    it('in the home of a new agent, or in a home that is given, is read too', async () => {
      const { port, dir } = await startTestDaemon({ register: false })
      const path = join(dir, 'home/.string/profile.yaml')
      mkdirSync(join(path, '..'))
      writeFileSync(path, 'command: [')
      const refused = await register(port, { home: join(dir, 'home') })
      expect(refused).toMatchObject({ status: 400, json: { error: expect.stringContaining(`${path}:1:`) as string } })
      writeFileSync(path, 'command: ./missing.sh')
      expect((await register(port, { home: join(dir, 'home') })).json).toMatchObject({
        created: true,
        warnings: [expect.stringContaining('missing.sh was not found')],
      })
    })

    it('S34: is named when a home brings it, as are its channels; a link in its place is not followed', async () => {
      const { port, dir } = await startTestDaemon({ register: false })
      const home = join(dir, 'cloned')
      const [profile, channels] = ['profile.yaml', 'channels.yaml'].map((name) => join(home, '.string', name))
      mkdirSync(join(home, '.string'), { recursive: true })
      writeFileSync(
        join(home, '.string/channels.yaml'),
        'out: { type: webhook, targets: { all: "https://x.example/" } }',
      )
      symlinkSync('/dev/null', join(home, '.string/profile.yaml'))
      const refused = await register(port, { home })
      expect(refused).toMatchObject({ status: 400, json: { error: expect.stringContaining('not followed') as string } })
      rmSync(join(home, '.string/profile.yaml'))
      writeFileSync(join(home, '.string/profile.yaml'), 'command: /bin/true')
      expect((await register(port, { home })).json).toMatchObject({ created: true, brings: [channels, profile] })
      expect((await register(port, {})).json).not.toHaveProperty('brings')
    })

    it('that went bad later does not stop the commands of its agent', async () => {
      const { port, dir } = await startTestDaemon({ register: false })
      const home = join(dir, 'home')
      const given = join(dir, 'given.yaml')
      writeFileSync(given, 'command: /bin/true')
      await register(port, { home })
      mkdirSync(join(home, '.string'))
      writeFileSync(join(home, '.string/profile.yaml'), 'command: [')
      expect((await register(port, {})).json).toEqual({ agent_id: 'bob', home, created: false })
      await register(port, { profile: given })
      writeFileSync(given, 'command: [')
      expect((await register(port, {})).status).toBe(200)
      expect((await register(port, { home: join(dir, 'other') })).status).toBe(200)
    })
  })

  it('says why a home cannot be made, and registers nothing', async () => {
    const { port, dir } = await startTestDaemon({ register: false })
    writeFileSync(join(dir, 'file'), '')
    const { status, json } = await call(port, 'POST', '/agents', { body: { agent_id: 'a', home: join(dir, 'file') } })
    expect(status).toBe(400)
    expect(json).toEqual({
      error: `Cannot create home ${join(dir, 'file')}: a file is where a folder has to be (EEXIST)`,
    })
    expect((await call(port, 'GET', '/agents')).json).toEqual({ agents: [] })
  })

  it.runIf(existsSync('/proc/self'))('a home where no folder can be made does not stop the daemon', async () => {
    const { port } = await startTestDaemon({ register: false })
    const { status, json } = await call(port, 'POST', '/agents', { body: { agent_id: 'a', home: '/proc/string' } })
    expect(status).toBe(400)
    expect(json).toEqual({
      error: 'Cannot create home /proc/string: it, or a folder above it, does not exist (ENOENT)',
    })
  })

  it('stores in agents.json, for its owner alone, before it answers (R3, S15)', async () => {
    const { port, dataDir } = await startTestDaemon({ register: false })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(port, 'POST', '/agents', { body: { agent_id: `a${index}` } })),
    )
    const path = join(dataDir, 'agents.json')
    const stored = JSON.parse(readFileSync(path, 'utf8')) as { agents: { id: string }[] }
    expect(stored.agents.map(({ id }) => id).sort()).toEqual(
      Array.from({ length: 20 }, (_, index) => `a${index}`).sort(),
    )
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })
})

describe('DELETE /agents/:agent_id', () => {
  it('removes the record and its sessions, not the files in its home', async () => {
    const { port, home } = await startTestDaemon()
    writeFileSync(join(home, 'keep.md'), 'kept')
    await exec(port, '/info')
    expect((await call(port, 'DELETE', '/agents/default')).json).toEqual({ agent_id: 'default', deleted: true })
    expect((await call(port, 'GET', '/sessions')).json).toEqual({ sessions: [] })
    expect(readFileSync(join(home, 'keep.md'), 'utf8')).toBe('kept')
    expect(
      (await call(port, 'POST', '/exec', { headers: { 'X-Agent-Id': 'default' }, body: { cmd: '/info' } })).status,
    ).toBe(401)
  })

  it('answers deleted: false if the agent did not exist, and 400 for what can be no id (S9)', async () => {
    const { port } = await startTestDaemon()
    expect((await call(port, 'DELETE', '/agents/nobody')).json).toEqual({ agent_id: 'nobody', deleted: false })
    expect((await call(port, 'DELETE', '/agents/..%2f..')).status).toBe(400)
    expect((await call(port, 'DELETE', '/agents/%ff')).status).toBe(400)
  })

  it('answers the commands that run and wait with CANCELLED', async () => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, '/hold')
    await expect.poll(daemon.held).toBe(1)
    const waiting = exec(daemon.port, '/info')
    await expect.poll(() => queueLength(daemon.port)).toBe(1)
    await call(daemon.port, 'DELETE', '/agents/default')
    expect((await running).head.code).toBe('CANCELLED')
    expect((await waiting).head.code).toBe('CANCELLED')
  })

  it('takes no event of an agent that comes under the same id while the processes of the first one end', async () => {
    const { port, home } = await startTestDaemon()
    // On a slow machine they may have ended before the event was there: then it is tried again.
    for (let isDuring = false; !isDuring; ) {
      await exec(port, 'trap "" HUP TERM', { topic: 'bash:stubborn' })
      let isDone = false
      const deleting = call(port, 'DELETE', '/agents/default').then(() => {
        isDone = true
      })
      await expect.poll(async () => (await call(port, 'GET', '/agents')).json).toEqual({ agents: [] })
      await call(port, 'POST', '/agents', { body: { agent_id: 'default', home } })
      const { json } = await call(port, 'GET', '/agents/default/webhook')
      const path = new URL((json as { webhook_url: string }).webhook_url).pathname
      expect((await call(port, 'POST', path, { body: 'for the second' })).status).toBe(202)
      isDuring = !isDone
      await deleting
      expect((await exec(port, '/events')).content).toContain('for the second')
    }
  })

  it('runs no further block of a text whose agent it deletes', async () => {
    const daemon = await startTestDaemon()
    const block = (command: string): string => `<𝒞=string:a>\n${command}\n</𝒞>\n`
    const running = call(daemon.port, 'POST', '/chanflow', {
      headers: { 'X-Agent-Id': 'default' },
      body: { text: block('/hold') + block('/exec touch ran') },
    })
    await expect.poll(daemon.held).toBe(1)
    await call(daemon.port, 'DELETE', '/agents/default')
    expect((await running).json).toMatchObject({ blocks: [{ code: 'CANCELLED' }, { code: 'CANCELLED' }] })
    expect(existsSync(join(daemon.home, 'ran'))).toBe(false)
    expect((await call(daemon.port, 'GET', '/sessions')).json).toEqual({ sessions: [] })
  })
})
