import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../packages/stringd/src/log.ts'
import { openSqlite } from '../../packages/stringd/src/store/sqlite/sqlite-store.ts'
import { type Place, STRING, stringPlace } from '../support/cli.ts'
import { hasPostgres, PASSWORD, postgresServer } from '../support/postgres.ts'
import { randomBelow } from '../support/random.ts'
import { tempDir } from '../support/temp.ts'

const MANY = 20_000
const PART = 1_000

/** A data folder with many events and nobody who serves it. */
async function manyEvents(): Promise<string> {
  const folder = tempDir()
  const store = openSqlite(join(folder, 'state.db'), { log: createLog(() => undefined) })
  const receivedAt = '2026-01-02T03:04:05.000Z'
  const event = { agentId: 'ann', receivedAt, source: 'test', hops: 0, key: null }
  await Promise.all(
    Array.from({ length: MANY }, (_, index) => store.events.append({ ...event, text: `event ${index}` })),
  )
  await store.close()
  return folder
}

async function post(place: Place, text: string): Promise<string> {
  const url = (await place.string(['webhook', 'show'])).stdout.trim()
  const response = await fetch(url, { method: 'POST', body: text })
  return ((await response.json()) as { event_id: string }).event_id
}

/** A copy is whole whatever is written meanwhile: all that was stored before it began. How many events there are then. */
async function backsUpWhileWritten(place: Place): Promise<number> {
  const url = (await place.string(['webhook', 'show'])).stdout.trim()
  const state = { isOver: false, stored: 1 }
  const writing = (async () => {
    while (!state.isOver) {
      expect((await fetch(url, { method: 'POST', body: 'x'.repeat(2_000) })).status).toBe(202)
      state.stored += 1
    }
  })()
  await expect.poll(() => state.stored).toBeGreaterThan(20)
  const file = join(tempDir(), 'state.db')
  const [before, { status, stdout }] = [state.stored, await place.string(['store', 'backup', file, '--json'])]
  const after = state.stored
  state.isOver = true
  await writing
  expect(status).toBe(0)
  const { findings, ...rest } = JSON.parse(stdout) as { findings: { state: string; text: string }[]; bytes: number }
  expect(rest).toEqual({ ok: true, store: join(place.dataDir, 'state.db'), file, bytes: statSync(file).size })
  expect(findings.map((finding) => finding.state)).toEqual(findings.map(() => 'good'))
  const rows = Number(
    /^events: (\d+) rows$/.exec(findings.find(({ text }) => text.startsWith('events:'))?.text ?? '')?.[1],
  )
  expect(rows).toBeGreaterThanOrEqual(before)
  expect(rows).toBeLessThanOrEqual(after + 1)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(file))).toEqual(['state.db'])
  const again = await place.string(['store', 'backup', file])
  expect(again).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `string: ${file} is there already, and is not replaced; name another file\n`,
  })
  const away = await place.string(['store', 'backup', file], { env: { STRING_STORE: 'postgres://u:S3cr3t@h/d' } })
  expect(away.stderr).toContain(`pg_dump --schema=string --format=custom --file=${file} "$STRING_STORE"`)
  expect(away.stderr).not.toContain('S3cr3t')
  return state.stored
}

describe('string store', () => {
  it('looks at the store of the data folder, also while a daemon has it', async () => {
    const place = stringPlace()
    const first = await place.string(['store', 'check'])
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toMatch(/^✓ There is no folder .* yet: the first daemon makes it$/m)
    await post(place, 'hello')
    const served = await place.string(['store', 'check', '--json'])
    expect(served.status).toBe(0)
    expect(JSON.parse(served.stdout)).toMatchObject({ ok: true, store: join(place.dataDir, 'state.db') })
    expect(served.stdout).toContain(`A daemon has it (pid ${place.daemonPid()})`)
    expect((await place.string(['store', 'check'])).stdout).toMatch(
      /^- A daemon has it .*: its rows were not checked\n.*\nIt can be used, as far as it was checked$/m,
    )
    const stored = await backsUpWhileWritten(place)
    await place.string(['--daemon', 'stop'])
    expect((await place.string(['store', 'check', `sqlite:${place.dataDir}`])).stdout).toContain(
      `✓ events: ${stored} rows\n`,
    )
  })

  it('copies a data folder to another, and back to none that holds something', async () => {
    const place = stringPlace()
    const id = await post(place, 'hello')
    const other = join(tempDir(), 'new/folder')
    const served = await place.string(['store', 'copy', 'env', `sqlite:${other}`])
    expect(served).toMatchObject({ status: 1, stdout: '' })
    expect(served.stderr).toMatch(/^string: stringd already serves .*: stop it first \(string stop\)\n$/)
    await place.string(['--daemon', 'stop'])
    const copied = await place.string(['store', 'copy', 'env', `sqlite:${other}`])
    expect(copied).toMatchObject({ status: 0, stderr: '' })
    expect(copied.stdout).toMatch(/^Copied .*\n {2}events +1 {2}[0-9a-f]{16}\n/)
    const back = await place.string(['store', 'copy', `sqlite:${other}`, 'env'])
    expect(back).toMatchObject({ status: 1, stdout: '' })
    expect(back.stderr).toContain('is not empty: it has events')
    const moved = stringPlace({ STRING_DATA_DIR: other })
    expect((await moved.string(['events', '--plain'])).stdout).toContain(id)
  })

  it('says how it is used, and shows no name that may hold a password', async () => {
    const place = stringPlace()
    const help = await place.string(['store', '--help'])
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect(help.stdout).toContain('string store copy FROM TO')
    expect(await place.string(['store'])).toEqual({ ...help, status: 2 })
    for (const args of [
      ['store', 'copy', 'env'],
      ['store', 'check', 'sqlite:relative'],
      ['store', 'check', 'mysql://u:S3cr3t@h/d'],
      ['store', 'copy', 'env', 'env'],
    ]) {
      const { status, stdout, stderr } = await place.string(args)
      expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' })
      expect(stderr).not.toContain('S3cr3t')
    }
    expect((await place.string(['store', 'copy', 'a', 'b'])).stderr).toContain('string: a (FROM) names no store: ')
    expect((await place.string(['store', 'copy', 'env', 'b'])).stderr).toContain('string: b (TO) names no store: ')
    expect((await place.string(['store', 'check', 'mysql://u:secret@h'])).stderr).toContain(
      'string: NAME names no store: ',
    )
    const missing = await place.string(['store', 'copy', `sqlite:${place.dir}`, `sqlite:${place.dir}/to`])
    expect(missing).toMatchObject({ status: 1, stdout: '' })
    expect(missing.stderr).toContain(`There is no store in ${place.dir}`)
  })

  it('is a file of its own: other verbs load no engine', () => {
    const main = readFileSync(join(STRING, '../../dist/cli.cjs'), 'utf8')
    expect(main).toContain('./cli-store.cjs')
    expect(main).not.toContain('damaged_rows')
    expect(main).not.toContain('pg_try_advisory_lock')
  })
})

describe.skipIf(!hasPostgres)('string store with PostgreSQL', () => {
  const server = postgresServer()

  it('moves a String to PostgreSQL and back, and ids rise all the way', async () => {
    const place = stringPlace()
    const first = await post(place, 'in SQLite')
    await place.string(['--daemon', 'stop'])
    const env = { STRING_STORE: server.tcpUrl(await server.database()) }
    const files = `sqlite:${place.dataDir}`
    const there = await place.string(['store', 'copy', files, 'env', '--json'], { env })
    expect(there).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(there.stdout)).toMatchObject({ ok: true, resumed: false, rows: 1, damaged: 0 })
    await place.string(['--daemon', 'start'], { env })
    const second = await post(place, 'in PostgreSQL')
    expect(second > first).toBe(true)
    expect((await place.string(['events', '--plain'], { env })).stdout).toMatch(/in PostgreSQL[\s\S]*in SQLite/)
    const used = await place.string(['store', 'copy', 'env', `sqlite:${join(place.dir, 'back')}`], { env })
    expect(used).toMatchObject({ status: 1, stdout: '' })
    expect(used.stderr).toMatch(/a daemon uses it\. Stop every stringd/)
    const check = await place.string(['store', 'check'], { env })
    expect(check).toMatchObject({ status: 0, stderr: '' })
    expect(check.stdout).toContain('One daemon uses it now')
    await place.string(['--daemon', 'stop'], { env })
    const back = await place.string(['store', 'copy', 'env', `sqlite:${join(place.dir, 'back')}`], { env })
    expect(back).toMatchObject({ status: 0, stderr: '' })
    const again = stringPlace({ STRING_DATA_DIR: join(place.dir, 'back') })
    expect((await post(again, 'in SQLite again')) > second).toBe(true)
    expect((await again.string(['events', '--plain'])).stdout).toMatch(/again[\s\S]*in PostgreSQL[\s\S]*in SQLite/)
  }, 120_000)

  it('is killed again and again, and goes on until all of it is there', async () => {
    const [folder, database] = [await manyEvents(), await server.database()]
    const place = stringPlace()
    const args = ['store', 'copy', `sqlite:${folder}`, server.url(database), '--json']
    for (let stored = 0; stored < 4 * PART; ) {
      const child = started(place, args)
      const ended = once(child, 'close')
      const before = stored
      await expect.poll(async () => (stored = await count(database)), { interval: 5 }).toBeGreaterThan(before)
      child.kill('SIGKILL')
      await ended
      stored = await count(database)
    }
    const daemon = await place.string(['--daemon', 'start'], { env: { STRING_STORE: server.url(database) } })
    expect(daemon.status).not.toBe(0)
    expect(daemon.stderr).toContain('A copy to this store was not finished')
    const there = await place.string(args)
    expect(there).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(there.stdout)).toMatchObject({ resumed: true, rows: MANY })
    const texts = 'SELECT count(DISTINCT text)::integer AS n FROM string.events'
    expect(await server.sql(texts, database)).toEqual([{ n: MANY }])
  }, 120_000)

  it('is killed on the way back at any moment, and goes on', async () => {
    const [folder, database, back] = [await manyEvents(), await server.database(), join(tempDir(), 'back')]
    const place = stringPlace()
    await place.string(['store', 'copy', `sqlite:${folder}`, server.url(database)])
    const args = ['store', 'copy', server.url(database), `sqlite:${back}`, '--json']
    for (let time = 0; time < 6; time += 1) {
      const child = started(place, args)
      const ended = once(child, 'close')
      await Promise.race([ended, sleep(300 + randomBelow(700))])
      child.kill('SIGKILL')
      await ended
    }
    const last = await place.string(args)
    // One of those that were to be killed may have been faster.
    if (last.status !== 0) expect(last.stderr).toContain('is not empty')
    const check = await place.string(['store', 'check', `sqlite:${back}`])
    expect(check).toMatchObject({ status: 0, stderr: '' })
    expect(check.stdout).toContain(`✓ events: ${MANY} rows`)
  }, 120_000)

  it('shows a password neither in the list of processes nor in what it says', async () => {
    const [folder, database] = [await manyEvents(), await server.database()]
    const place = stringPlace()
    const url = server.tcpUrl(database)
    const child = started(place, ['store', 'copy', `sqlite:${folder}`, url])
    const ended = once(child, 'close')
    await expect.poll(() => connected(database)).toBe(true)
    const listed = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(child.pid)], { encoding: 'utf8' })
    expect(listed).toBe('string\n')
    expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').replaceAll('\0', '')).toBe('string')
    await ended
    const outputs = [
      await place.string(['store', 'check', url]),
      await place.string(['store', 'copy', `sqlite:${folder}`, url]),
      await place.string(['store', 'copy', `sqlite:${folder}`, server.tcpUrl('nowhere')]),
      await place.string(['store', 'check', server.tcpUrl(database, { password: `${PASSWORD}x` })]),
      await place.string(['store', 'check', `${url}?x=1`, '--json']),
      await place.string(['store', 'check'], { env: { STRING_STORE: url } }),
    ]
    expect(outputs.map(({ status }) => status)).toEqual([0, 1, 1, 1, 1, 0])
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toMatch(/pa55|%2Fword/)
  }, 120_000)

  function started(place: Place, args: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, [STRING, ...args], { env: place.env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  async function count(database: string): Promise<number> {
    const isMade = await server.sql("SELECT to_regclass('string.events') IS NOT NULL AS made", database)
    if (isMade[0]?.made !== true) return 0
    return Number((await server.sql('SELECT count(*) AS n FROM string.events', database))[0]?.n)
  }

  async function connected(database: string): Promise<boolean> {
    const rows = await server.sql(
      `SELECT 1 FROM pg_stat_activity WHERE datname = '${database}' AND application_name = 'stringd'`,
    )
    return rows.length > 0
  }
})
