import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Place, type Ran, stringPlace } from '../support/cli.ts'

interface Scene {
  readonly place: Place
  readonly profile: string
  readonly cure: string
  readonly check: (env?: NodeJS.ProcessEnv) => Promise<Ran>
  readonly run: (env?: NodeJS.ProcessEnv) => Promise<string>
  readonly chat: () => Promise<string>
  readonly doctor: () => Promise<string>
}

/** An agent that says what its key is, which a profile takes from a variable. */
function scene(): Scene {
  const place = stringPlace()
  const profile = join(place.dir, 'b.yaml')
  writeFileSync(profile, `command: [sh, -c, 'echo "key $MY_TOKEN"']\nenv: { MY_TOKEN: "\${DEPLOY_KEY}" }\n`)
  const all = ({ stdout, stderr }: Ran): string => `${stdout}${stderr}`
  const withEnv = (env: NodeJS.ProcessEnv = {}): { env: NodeJS.ProcessEnv } => ({ env: { ...place.env, ...env } })
  return {
    place,
    profile,
    cure: `write DEPLOY_KEY=… into ${place.dataDir}/env`,
    check: (env) => place.string(['bridge', 'check', profile], withEnv(env)),
    run: async (env) => all(await place.string(['bridge', 'run', '--profile', profile, '-m', 'hi'], withEnv(env))),
    chat: async () => all(await place.string(['chat', 'bob', '-m', 'hi'])),
    doctor: async () => (await place.string(['doctor'])).stdout,
  }
}

const missing = '${DEPLOY_KEY} in the key `env` is not set, so MY_TOKEN holds nothing in its place. '

describe('a variable that a profile takes from elsewhere', () => {
  it('which the daemon that runs lacks is told of everywhere with the file to write it into, and set there is well everywhere', async () => {
    const { place, profile, cure, check, run, chat, doctor } = scene()
    const write = `${missing}W${cure.slice(1)}`
    await place.string(['start'])
    const added = await place.string(['agent', 'add', 'bob', '--profile', profile])
    expect(added.stderr).toBe(`warning: ${profile}: ${write}\n`)
    expect(await chat()).toContain(`warning: ${write}\n`)
    const status = await place.string(['agent', 'status', 'bob'])
    expect(status.stdout).toContain(`bob: ready\nwarning: ${profile}: ${write}\n`)
    expect(await doctor()).toContain(`bob: ${profile}: ${write}`)
    expect((await check()).stderr).toBe(`warning: ${write}\n`)
    // Set where it is typed, the daemon that runs lacks it all the same.
    expect((await check({ DEPLOY_KEY: 'mine' })).stderr).toBe(`warning: in the daemon: ${write}\n`)
    expect(await run()).toBe(`key \nwarning: ${missing}Set DEPLOY_KEY where you type this, or ${cure}\n`)
    expect(await run({ DEPLOY_KEY: 'mine' })).toBe('key mine\n')

    writeFileSync(join(place.dataDir, 'env'), 'DEPLOY_KEY=real\n', { mode: 0o600 })
    expect((await check()).stderr).toBe('')
    expect((await check({ DEPLOY_KEY: 'mine' })).stderr).toBe('')
    expect(await chat()).toBe('key real\n')
    expect(await run()).toBe('key real\n')
    // What was set for this one run counts more.
    expect(await run({ DEPLOY_KEY: 'mine' })).toBe('key mine\n')
    expect(await doctor()).not.toContain('DEPLOY_KEY')
  })

  it('with which the daemon was started is missing where a profile is run from here, and that is what is said', async () => {
    const { place, profile, check, chat } = scene()
    await place.string(['start'], { env: { ...place.env, DEPLOY_KEY: 'early' } })
    await place.string(['agent', 'add', 'bob', '--profile', profile])
    expect(await chat()).toBe('key early\n')
    expect((await check()).stderr).toContain(`warning: run from here: ${missing}`)
    expect((await check({ DEPLOY_KEY: 'mine' })).stderr).toBe('')
  })

  it('comes from the file without a daemon, too; a file that cannot be read is left out and told of', async () => {
    const { place, check, run } = scene()
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(join(place.dataDir, 'env'), 'DEPLOY_KEY=real\n', { mode: 0o600 })
    expect((await check()).stderr).toBe('')
    expect(await run()).toBe('key real\n')
    rmSync(join(place.dataDir, 'env'))
    mkdirSync(join(place.dataDir, 'env'))
    expect(await run({ DEPLOY_KEY: 'mine' })).toBe(
      `key mine\nwarning: ${place.dataDir}/env cannot be read, and is left out: EISDIR\n`,
    )
    expect(place.daemonPid()).toBeNull()
  })
})

describe('lines of the file env', () => {
  it('that set nothing are told of by doctor, config and the log, and no text of them', async () => {
    const { place, doctor } = scene()
    await place.string(['start'])
    const file = join(place.dataDir, 'env')
    writeFileSync(file, 'export K1=hush\nK2: hush\nK3=fine\n', { mode: 0o600 })
    expect((await place.string(['bash:e', '--plain', 'echo "1=$K1 2=$K2 3=$K3"'])).stdout).toContain('1= 2= 3=fine')
    await place.string(['bash:f', '--plain', 'true'])
    const said = [`${file}:1:1: Leave out "export"`, `${file}:2:3: Write = in place of the colon`]
    const [found, { stdout, stderr }, logs] = await Promise.all([
      doctor(),
      place.string(['config']),
      place.string(['logs']),
    ])
    for (const text of [found, stderr, logs.stdout]) {
      for (const line of said) expect(text).toContain(line)
      expect(text).not.toContain('hush')
    }
    expect(stdout).toContain('variables of shells, agents and channels')
    expect(logs.stdout.match(/lines of the file env/g)).toHaveLength(1)
    const json = JSON.parse((await place.string(['config', '--json'])).stdout) as { files: { problems?: string[] }[] }
    expect(json.files.flatMap(({ problems = [] }) => problems)).toHaveLength(2)
  })
})

describe('string page', () => {
  it('of an agent is its place in the page; of one that is not there it is refused', async () => {
    const { place, profile } = scene()
    await place.string(['agent', 'add', 'bob', '--profile', profile])
    const bob = await place.string(['page', '--agent', 'bob', '--print'])
    expect(bob).toMatchObject({ status: 0, stdout: `http://127.0.0.1:${place.daemonPort()}/#/agents/bob\n` })
    expect(await place.string(['page', '--agent', 'bobb', '--print'])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('There is no agent bobb. Did you mean bob?') as string,
    })
  })
})

describe('a profile that is not there', () => {
  it('is why an agent fails, until it has one that can be used', async () => {
    const { place, profile, chat } = scene()
    const go = join(place.dir, 'go')
    writeFileSync(profile, `command: [sh, -c, 'while [ ! -e ${go} ]; do sleep 0.02; done']\n`)
    await place.string(['agent', 'add', 'bob', '--profile', profile])
    const counted = async (): Promise<string> => (await place.string(['agent', 'status', 'bob'])).stdout
    const first = chat()
    await expect.poll(counted, { timeout: 20_000 }).toContain('turns: 1 running, 0 waiting')
    const second = chat()
    await expect.poll(counted, { timeout: 20_000 }).toContain('turns: 1 running, 1 waiting')
    rmSync(profile)
    writeFileSync(go, '')
    await first
    expect(await second).toContain(`There is no file ${profile}`)
    const state = async (): Promise<string> =>
      (await place.string(['agent', 'status', 'bob'])).stdout.split('\n')[0] ?? ''
    expect(await state()).toBe('bob: broken')
    const other = join(place.dir, 'other.yaml')
    writeFileSync(other, 'command: cat\n')
    await place.string(['agent', 'add', 'bob', '--profile', other, '--yes'])
    expect(await state()).toBe('bob: ready')
  })

  it('is told of before anybody is asked to replace another; of one that has gone, what to do', async () => {
    const { place, profile, chat, doctor } = scene()
    await place.string(['agent', 'add', 'bob', '--profile', profile])
    const refused = await place.string(['agent', 'add', 'bob', '--profile', join(place.dir, 'zzz.yaml')])
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no file') as string })
    expect(refused.stderr).not.toContain('--yes')
    writeFileSync(join(place.dir, 'a.yaml'), 'command: cat\n')
    rmSync(profile)
    const said = await chat()
    expect(said).toContain('Put the file back, or string agent add bob --profile FILE --yes gives it another')
    expect(said).not.toContain('string bridge check')
    expect(said).not.toContain('a.yaml')
    expect(await doctor()).toContain('put the file back, or string agent add bob --profile FILE --yes')
  })
})
