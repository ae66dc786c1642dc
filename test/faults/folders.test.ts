import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { STRING } from '../support/cli.ts'
import { call, exec } from '../support/http.ts'
import { canBeOther, OTHER_UID } from '../support/other-user.ts'
import { failStringd, plainUserDir, type Stringd, startStringd } from './support/stringd.ts'

async function register({ port, dir }: Stringd, id: string): Promise<number> {
  return (await call(port, 'POST', '/agents', { body: { agent_id: id, home: join(dir, 'home') } })).status
}

async function ids({ port }: Stringd): Promise<string[]> {
  const { agents } = (await call(port, 'GET', '/agents')).json as { agents: { id: string }[] }
  return agents.map(({ id }) => id)
}

/** Like the folder it lies in. */
function give(path: string, parent: string): void {
  const { uid, gid } = statSync(parent)
  chownSync(path, uid, gid)
}

describe('S15: a data folder that was there', () => {
  it('is closed to others when the daemon starts', async () => {
    const dir = plainUserDir()
    const dataDir = join(dir, 'data')
    mkdirSync(dataDir)
    give(dataDir, dir)
    chmodSync(dataDir, 0o777)
    const stringd = await startStringd({ dir, asPlainUser: true })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(await stringd.end()).toBe(0)
  })

  it.runIf(canBeOther)('is refused when it, or a file in it that commands would get, is of another user', async () => {
    const dir = plainUserDir()
    const dataDir = join(dir, 'data')
    mkdirSync(dataDir, { mode: 0o777 })
    const foreign = await failStringd({ dir, asPlainUser: true })
    expect(foreign).toEqual({ status: 1, stderr: expect.stringContaining('it belongs to another user') as string })
    give(dataDir, dir)
    writeFileSync(join(dataDir, 'env'), 'BASH_ENV=/tmp/x\n')
    const planted = await failStringd({ dir, asPlainUser: true })
    expect(planted).toEqual({ status: 1, stderr: expect.stringContaining('env in it is of another user') as string })
  })
})

describe('a data folder that nobody can write any more', () => {
  it.runIf(canBeOther)(
    'does not keep the daemon from an orderly end, and the next one finds no fault in it',
    async () => {
      const dir = plainUserDir()
      const stringd = await startStringd({ dir, asPlainUser: true })
      chmodSync(stringd.dataDir, 0o500)
      expect(await stringd.end()).toBe(0)
      expect(stringd.stderr()).toContain('stringd has stopped')
      expect(stringd.stderr()).not.toMatch(/Uncaught|Unhandled/)
      chmodSync(stringd.dataDir, 0o700)
      const next = await startStringd({ dir, asPlainUser: true })
      expect(next.stderr()).not.toContain('did not end in order')
      expect(await next.end()).toBe(0)
    },
  )
})

describe('a home that cannot be made', () => {
  it.runIf(canBeOther)('is named with the reason, and the data folder is not blamed', async () => {
    const dir = plainUserDir()
    const closed = join(dir, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const { port } = await startStringd({ dir, asPlainUser: true })
    for (const home of [join(closed, 'z'), join(closed, 'deep/z')]) {
      const { status, json } = await call(port, 'POST', '/agents', { body: { agent_id: 'a', home } })
      expect({ status, json }).toEqual({
        status: 400,
        json: { error: `Cannot create home ${home}: no permission (EACCES)` },
      })
    }
  })
})

describe('a working folder that lets nobody in', () => {
  it.runIf(canBeOther)('is told as what it is, to a shell that would begin there and to who writes there', async () => {
    const dir = plainUserDir()
    const closed = join(dir, 'closed')
    mkdirSync(closed)
    give(closed, dir)
    chmodSync(closed, 0)
    const stringd = await startStringd({ dir, asPlainUser: true })
    const body = { agent_id: 'a', home: join(dir, 'home'), allowed_paths: [dir] }
    expect((await call(stringd.port, 'POST', '/agents', { body })).status).toBe(200)
    const said = async (topic: string, cmd: string, cwd: string): Promise<string> =>
      (await exec(stringd.port, cmd, { agent: 'a', topic, cwd })).body
    expect(await said('bash:x', 'pwd', closed)).toContain(
      `Cannot start bash in ${closed}: no permission (EACCES)\n  Give another working directory`,
    )
    expect(await said('bash:x', 'pwd', join(dir, 'none'))).toContain('there is no such folder')
    expect(await said('main', '/write ./closed/x\nhi', dir)).toContain('No permission to write ./closed/x')
    for (const path of ['./closed/x', './closed/deep/x#block'])
      expect(await said('main', `/open ${path}`, dir)).toContain(
        `No permission to read ${path.split('#')[0]}: the folder ./closed may not be entered\n  /exec ls -ld ./closed shows who may`,
      )
    // What is no folder hides nothing.
    writeFileSync(join(dir, 'file'), '')
    expect(await said('main', '/open ./file/x', dir)).toContain('File not found: ./file/x')
    expect(await said('main', '/edit ./closed/x', dir)).toContain('No permission to read ./closed/x')
    chmodSync(closed, 0o700)
  })
})

describe('a profile in a folder that lets nobody in', () => {
  it.runIf(canBeOther)('breaks its own agent alone, and the folder is named with what opens it', async () => {
    const dir = plainUserDir()
    const own = (path: string): string => {
      mkdirSync(path)
      give(path, dir)
      return path
    }
    const [locked, home] = [own(join(dir, 'locked')), own(join(dir, 'home'))]
    const setting = own(join(home, '.string'))
    for (const path of [join(locked, 'agent.yaml'), join(setting, 'profile.yaml')])
      writeFileSync(path, 'schema: agentproc/0.1\ncommand: cat\n')
    const { port, stderr } = await startStringd({ dir, asPlainUser: true })
    const add = async (body: object): Promise<void> => {
      expect((await call(port, 'POST', '/agents', { body })).status).toBe(200)
    }
    await add({ agent_id: 'far', home: join(dir, 'far'), profile: join(locked, 'agent.yaml') })
    await add({ agent_id: 'own', home })
    await add({ agent_id: 'well', home: join(dir, 'well') })
    chmodSync(locked, 0)
    chmodSync(setting, 0)
    const why = (path: string, folder: string): string =>
      `${path} may not be read: the folder ${folder} lets nobody in. Allow it with: chmod u+x ${folder}`
    const problems: Record<string, unknown> = {}
    for (const id of ['far', 'own', 'well'])
      problems[id] = ((await call(port, 'GET', `/agents/${id}`)).json as { problem: unknown }).problem
    expect(problems).toEqual({
      far: why(join(locked, 'agent.yaml'), locked),
      own: why(join(setting, 'profile.yaml'), setting),
      well: null,
    })
    const turn = await call(port, 'POST', '/agents/far/turns', { body: { message: 'x' } })
    expect(turn.json).toMatchObject({ message: expect.stringContaining(`chmod u+x ${locked}`) as string })
    expect(stderr()).not.toContain('A request failed')
    for (const path of [locked, setting]) chmodSync(path, 0o700)
  })
})

describe('a data folder that cannot be written', () => {
  it('R6: ends the start with one line that names it, whether or not it was used before', async () => {
    const dir = plainUserDir()
    const dataDir = join(dir, 'data')
    mkdirSync(dataDir)
    give(dataDir, dir)
    chmodSync(dataDir, 0o500)
    const line = (stderr: string): void => {
      expect(stderr).toMatch(
        new RegExp(`^stringd: Cannot use the data folder ${dataDir}: no permission \\(EACCES\\)\\n$`),
      )
    }
    const fresh = await failStringd({ dir, asPlainUser: true })
    expect(fresh.status).toBe(1)
    line(fresh.stderr)
    chmodSync(dataDir, 0o700)
    const stringd = await startStringd({ dir, asPlainUser: true })
    expect(await register(stringd, 'kept')).toBe(200)
    await stringd.end()
    const before = readFileSync(join(dataDir, 'agents.json'), 'utf8')
    for (const suffix of ['none', '-shm', '-wal']) {
      rmSync(join(dataDir, `state.db${suffix}`), { force: true })
      chmodSync(dataDir, 0o500)
      const used = await failStringd({ dir, asPlainUser: true })
      expect(used.status).toBe(1)
      line(used.stderr)
      chmodSync(dataDir, 0o700)
    }
    expect(readFileSync(join(dataDir, 'agents.json'), 'utf8')).toBe(before)
    chmodSync(dataDir, 0o700)
  })

  it.runIf(canBeOther)('is told by string doctor, also where a folder above it lets nobody in', () => {
    const dir = plainUserDir()
    const closed = join(dir, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const env = { ...process.env, HOME: dir, STRING_HOME: join(closed, 'string'), STRING_DATA_DIR: '' }
    const { status, stdout } = spawnSync(process.execPath, [STRING, 'doctor', '--port', '0'], {
      env,
      encoding: 'utf8',
      uid: OTHER_UID,
      gid: OTHER_UID,
    })
    expect(stdout).toContain(`${closed} does not let you in, and ${closed}/string/daemon has to be there`)
    expect(stdout).toContain(`→ ls -ld ${closed} shows who may; set STRING_HOME to a folder of yours`)
    expect(status).toBe(1)
    // One's own is mended by one line.
    chownSync(closed, OTHER_UID, OTHER_UID)
    chmodSync(closed, 0)
    const asOther = { env, encoding: 'utf8', uid: OTHER_UID, gid: OTHER_UID } as const
    const own = spawnSync(process.execPath, [STRING, 'doctor', '--port', '0'], asOther)
    expect(own.stdout).toContain(`→ chmod u+rwx ${closed}\n`)
    chmodSync(closed, 0o700)
  })

  it('R6, S25: gives errors while it lasts and recovers after, when it becomes so under a running daemon', async () => {
    const dir = plainUserDir()
    const stringd = await startStringd({ dir, asPlainUser: true })
    expect(await register(stringd, 'default')).toBe(200)
    await exec(stringd.port, '/write a.md\nold')
    for (const path of [stringd.dataDir, join(dir, 'home')]) chmodSync(path, 0o500)
    expect(await register(stringd, 'more')).toBe(503)
    const refused = await call(stringd.port, 'DELETE', '/agents/default')
    expect(refused).toMatchObject({
      status: 503,
      json: { error: 'The data folder cannot be written; nothing was stored' },
    })
    await expect
      .poll(() => stringd.stderr())
      .toContain('"message":"A request failed","route":"DELETE /agents/:id","cause":"Error: EACCES')
    expect(await ids(stringd)).toEqual(['default'])
    for (const command of ['/write --force a.md\nnew', '/write b.md\nnew', '/append a.md\nnew']) {
      const { head } = await exec(stringd.port, command)
      expect(head.code, command).toBe('LOAD_ERROR')
    }
    const large = await exec(stringd.port, '/exec seq 1 100000')
    expect(large.body).toMatch(/the whole could not be kept \(EACCES\)/)
    expect((await exec(stringd.port, '/open a.md')).body).toContain('old')
    for (const path of [stringd.dataDir, join(dir, 'home')]) chmodSync(path, 0o700)
    expect(await register(stringd, 'more')).toBe(200)
    expect((await exec(stringd.port, '/write --force a.md\nnew')).head.ok).toBe(true)
    expect(await stringd.end()).toBe(0)
    expect(stringd.stderr()).not.toMatch(/Uncaught|Unhandled/)
  })
})

describe('what is closed to its own user', () => {
  const asOther = (dir: string, ...words: string[]) =>
    spawnSync(process.execPath, [STRING, ...words], {
      cwd: dir,
      env: {
        ...process.env,
        HOME: dir,
        STRING_HOME: join(dir, 's'),
        STRING_DATA_DIR: join(dir, 's/daemon'),
        STRING_PORT: '0',
      },
      encoding: 'utf8',
      uid: OTHER_UID,
      gid: OTHER_UID,
    })

  it.runIf(canBeOther)(
    'is opened where only a daemon writes it, and no agent is lost; of another user it is named',
    () => {
      const dir = plainUserDir()
      const agents = join(dir, 's/daemon/agents.json')
      onTestFinished(() => void asOther(dir, 'stop'))
      expect(asOther(dir, 'agent', 'add', 'bob').status).toBe(0)
      asOther(dir, 'stop')
      chmodSync(agents, 0)
      expect(asOther(dir, 'doctor').stdout).toContain(`→ chmod u+rwX ${agents}\n`)
      expect(asOther(dir, 'agent', 'list').stdout).toContain('bob')
      asOther(dir, 'stop')
      chownSync(agents, 0, 0)
      chmodSync(agents, 0o600)
      const refused = asOther(dir, 'start')
      expect(refused.stderr).toContain(`Cannot use ${agents} in the data folder: no permission (EACCES)`)
      expect(refused.status).toBe(3)
      expect(readdirSync(join(dir, 's/daemon')).filter((name) => name.includes('damaged'))).toEqual([])
    },
  )

  it.runIf(canBeOther)('is named with what opens it: the data folder, and the home of an agent', () => {
    const dir = plainUserDir()
    const profile = writeAgent(dir, 'echo hi')
    onTestFinished(() => void asOther(dir, 'stop'))
    for (const name of ['agent.sh', 'agent.yaml']) give(join(dir, name), dir)
    expect(asOther(dir, 'agent', 'add', 'bob', '--profile', profile).status).toBe(0)
    const home = join(dir, 's/agents/bob')
    chmodSync(home, 0)
    expect(asOther(dir, 'chat', 'bob', '-m', 'x').stderr).toContain(
      `The folder ${home} may not be entered. Allow it with: chmod u+rwx ${home}`,
    )
    expect(asOther(dir, 'doctor').stdout).toContain(`→ chmod u+rwX ${home}\n`)
    chmodSync(home, 0o700)
    expect(asOther(dir, 'chat', 'bob', '-m', 'x').stdout).toBe('hi\n')
    asOther(dir, 'stop')
    chmodSync(join(dir, 's/daemon'), 0)
    for (const words of [['status'], ['logs'], ['logs', 'bob', '--failed']]) {
      const { stdout, stderr, status } = asOther(dir, ...words)
      expect(`${stdout}${stderr}`).toContain(`The data folder ${join(dir, 's/daemon')} may not be entered by this user`)
      expect(status).toBe(3)
    }
    chmodSync(join(dir, 's/daemon'), 0o700)
  })
})

describe('a folder that is removed under a running daemon', () => {
  it('R7: of data: nothing is acknowledged that is not stored, and what is not there is not served as stored', async () => {
    const stringd = await startStringd()
    expect(await register(stringd, 'default')).toBe(200)
    rmSync(stringd.dataDir, { recursive: true })
    const status = await register(stringd, 'more')
    if (status === 200) expect(readFileSync(join(stringd.dataDir, 'agents.json'), 'utf8')).toContain('"more"')
    else expect(status).toBe(503)
    expect((await exec(stringd.port, '/info')).head.ok).toBe(true)
    expect((await exec(stringd.port, '/exec echo alive')).body).toContain('alive')
    expect((await exec(stringd.port, 'echo alive', { topic: 'bash:dev' })).body).toContain('alive')
    mkdirSync(stringd.dataDir, { recursive: true, mode: 0o700 })
    expect(await register(stringd, 'again')).toBe(200)
    expect(readFileSync(join(stringd.dataDir, 'agents.json'), 'utf8')).toContain('"again"')
    expect(await stringd.end()).toBe(0)
  })

  it('R7: of an agent: commands give errors or make it again, and topics can be closed', async () => {
    const stringd = await startStringd()
    const { port, dir } = stringd
    await register(stringd, 'default')
    writeFileSync(join(dir, 'home/a.md'), 'A')
    await exec(port, '/open a.md')
    await exec(port, 'true', { topic: 'bash:dev' })
    rmSync(join(dir, 'home'), { recursive: true })
    for (const command of ['/open a.md', '/refresh', '/ls', '/exec true', '/edit a.md\nx', '/verify a.md#x']) {
      const { head } = await exec(port, command)
      expect(head.ok, command).toBe(false)
      expect(head.code, command).not.toBe('INTERNAL_ERROR')
    }
    const written = await exec(port, '/write b.md\nnew')
    expect(existsSync(join(dir, 'home/b.md'))).toBe(written.head.ok)
    expect((await exec(port, 'echo alive', { topic: 'bash:dev' })).body).toContain('alive')
    for (const topic of ['main', 'bash:dev'])
      expect((await call(port, 'DELETE', `/sessions/default/${topic}`)).json).toMatchObject({ deleted: true })
    expect(await register(stringd, 'default')).toBe(200)
    expect(readdirSync(join(dir, 'home'))).toEqual(written.head.ok ? ['b.md'] : [])
    expect((await exec(port, '/write c.md\nnew')).head.ok).toBe(true)
    expect(await stringd.end()).toBe(0)
  })
})
