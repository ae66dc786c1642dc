import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run, STRINGD } from '../support/cli.ts'
import { call } from '../support/http.ts'
import { tempDir } from '../support/temp.ts'
import { failStringd, plainUserDir, startStringd } from './support/stringd.ts'

const NO_LOCKS = join(import.meta.dirname, 'support/no-locks.py')

/** A filter of system calls needs Linux and Python. A skip that nobody sees would look like a pass. */
function canRefuseLocks(): boolean {
  try {
    execFileSync('python3', [NO_LOCKS, 'EIO', '/bin/true'], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write('SKIPPED: this machine cannot refuse locks on files, so that is not tested\n')
    return false
  }
}

const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('SKIPPED: only root can try a lock as another user\n')

describe('S37: the lock on the data folder', () => {
  it('is on a file in the folder, and no name of it is public', async () => {
    const { dataDir, child, end } = await startStringd()
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'daemon.lock')).mode & 0o777).toBe(0o600)
    const id = readFileSync(join(dataDir, 'id'), 'utf8')
    if (existsSync('/proc/net/unix')) expect(readFileSync('/proc/net/unix', 'latin1')).not.toContain(id)
    if (existsSync('/proc/locks')) {
      const inode = statSync(join(dataDir, 'daemon.lock')).ino
      expect(readFileSync('/proc/locks', 'latin1')).toMatch(new RegExp(` WRITE ${child.pid} \\S+:${inode} `))
    }
    expect(await end()).toBe(0)
  })

  it('holds when the record and the id are removed under a running daemon', async () => {
    const { dir, dataDir, end } = await startStringd()
    execFileSync('rm', [join(dataDir, 'daemon.json'), join(dataDir, 'id')])
    const { status, stderr } = await failStringd({ dir })
    expect({ status, stderr }).toEqual({ status: 1, stderr: `stringd: stringd already serves ${dataDir}\n` })
    expect(await end()).toBe(0)
  })

  it('is free for the next daemon as soon as one was killed', async () => {
    const first = await startStringd()
    await first.kill()
    const second = await startStringd({ dir: first.dir })
    expect((await call(second.port, 'GET', '/health')).json).toMatchObject({ pid: second.child.pid })
    expect(await second.end()).toBe(0)
  })

  it.runIf(canRefuseLocks()).each(['ENOLCK', 'EIO'])(
    'that the file system refuses with %s ends the start with one line that says so',
    async (error) => {
      const dir = tempDir()
      const env = { ...process.env, HOME: dir, STRING_HOME: dir, STRING_DATA_DIR: join(dir, 'data') }
      const { status, stderr } = await run('python3', [NO_LOCKS, error, process.execPath, STRINGD, '--port', '0'], {
        env,
      })
      expect(status).toBe(1)
      expect(stderr).toMatch(
        /^stringd: Cannot use the data folder \S+: its file system cannot lock files \((?:ENOLCK|SQLITE_IOERR_LOCK)\); STRING_DATA_DIR names another\n$/,
      )
    },
  )

  it('in a folder that cannot be written is no riddle', async () => {
    const dir = plainUserDir()
    mkdirSync(join(dir, 'data'), { mode: 0o700 })
    if (isRoot) execFileSync('chown', ['65534:65534', join(dir, 'data')])
    chmodSync(join(dir, 'data'), 0o500)
    const { status, stderr } = await failStringd({ dir, asPlainUser: true })
    chmodSync(join(dir, 'data'), 0o700)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `stringd: Cannot use the data folder ${join(dir, 'data')}: no permission (EACCES)\n`,
    })
  })

  it.runIf(isRoot)('cannot be taken by another user, who does not even see it', async () => {
    const dir = tempDir()
    chmodSync(dir, 0o755)
    mkdirSync(join(dir, 'data'), { mode: 0o700 })
    const program = `const Database = require('libsql')
for (const path of process.argv.slice(1)) {
  try { const held = new Database(path); held.exec('BEGIN EXCLUSIVE'); console.log('held', path) }
  catch (error) { console.log('refused') }
}
setInterval(() => undefined, 1000)`
    const own = join(dir, 'public')
    mkdirSync(own)
    chmodSync(own, 0o777)
    const paths = [join(dir, 'data/daemon.lock'), join(own, 'x.lock')]
    const stranger = spawn(process.execPath, ['-e', program, ...paths], {
      cwd: join(import.meta.dirname, '../../packages/stringd'),
      uid: 65_534,
      gid: 65_534,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void stranger.kill('SIGKILL'))
    let said = ''
    stranger.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await expect.poll(() => said).toBe(`refused\nheld ${paths[1]}\n`)
    const stringd = await startStringd({ dir })
    expect(await stringd.end()).toBe(0)
  })
})
