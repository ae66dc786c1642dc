import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMembers } from '@string-os/bridge/reap'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { action, openWith, startService } from '../support/action.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

/** Everything that some topic of this daemon started and that lives. */
function alive({ dataDir }: TestDaemon): number[] {
  return familyMembers({ owner: `${readFileSync(join(dataDir, 'id'), 'utf8')}:` })
}

/** Processes that do not want to end. */
const STUBBORN = {
  'ignore TERM': "trap '' TERM HUP INT; sleep 300 & sleep 300",
  'double-fork': '(setsid bash -c "sleep 300 & sleep 300" &); sleep 300',
  'call setsid': 'setsid sleep 300 & sleep 300',
  'hold the output open': 'sleep 300 & disown; sleep 300',
}

describe('/exec', () => {
  it('answers exit and cwd, ---, output, and EXIT_<n> with its output when it fails', async () => {
    const { port, home } = await startTestDaemon()
    expect((await exec(port, '/exec echo hi')).body).toBe(`exit: 0 | cwd: ${home}\n---\nhi`)
    const failed = await exec(port, '/exec echo out; echo err >&2; exit 3')
    expect(failed.head).toMatchObject({ ok: false, code: 'EXIT_3' })
    expect(failed.body).toBe(`exit: 3 | cwd: ${home}\n---\nout\nerr`)
    expect((await exec(port, '/exec false')).body).toBe(`exit: 1 | cwd: ${home}`)
    expect((await exec(port, '/exec true')).body).toBe(`exit: 0 | cwd: ${home}`)
    expect((await exec(port, '/exec kill -9 $$')).head.code).toBe('EXIT_137')
    expect((await exec(port, '/exec no-such-program')).head.code).toBe('EXIT_127')
    expect((await exec(port, '/exec echo "open')).head.code).toBe('EXIT_2')
    expect((await exec(port, '/exec')).head.code).toBe('USAGE')
    const flags = await exec(port, '/exec --timeout 1 sleep 3')
    expect(flags.head.code).toBe('USAGE')
    expect(flags.body).toContain('/exec has no flags: all that follows it is the command')
  })

  it('takes everything behind it, following lines included, as it stands', async () => {
    const { port } = await startTestDaemon()
    const script = `/exec cat <<'EOF'\n{city} "quotes" 'single' \\ $HOME\n/close\nEOF\nfor i in 1 2; do\n  echo "$i"\ndone`
    expect((await exec(port, script)).body).toMatch(/---\n\{city\} "quotes" 'single' \\ \$HOME\n\/close\n1\n2$/)
  })

  it('runs in the cwd that was sent, else in the folder of the document, else at home', async () => {
    const { port, home, dir } = await startTestDaemon()
    mkdirSync(join(home, 'sub'))
    writeFileSync(join(home, 'sub/a.md'), '')
    expect((await exec(port, '/exec pwd')).body).toContain(`---\n${home}`)
    await exec(port, '/open sub/a.md')
    expect((await exec(port, '/exec pwd')).body).toBe(`exit: 0 | cwd: ${home}/sub\n---\n${home}/sub`)
    expect((await exec(port, '/exec pwd', { cwd: dir })).body).toBe(`exit: 0 | cwd: ${dir}\n---\n${dir}`)
    expect((await exec(port, '/exec pwd', { cwd: '/no/such/folder' })).head.code).toBe('LOAD_ERROR')
  })

  it('gives session variables, the port, agent, data folder and our programs, and what <data>/env holds', async () => {
    const { port, dataDir } = await startTestDaemon()
    writeFileSync(join(dataDir, 'env'), '# comment\nMY_TOKEN=abc=1\nnot a line\n', { mode: 0o600 })
    await exec(port, '/set {city} = "New York"')
    const { body } = await exec(
      port,
      '/exec echo "$city|$MY_TOKEN|$STRING_PORT|$STRING_AGENT|$STRING_DATA_DIR"; command -v string',
    )
    expect(body).toContain(`---\nNew York|abc=1|${port}|default|${dataDir}\n`)
    expect(body).toMatch(/bin\/string$|\/string$/)
  })

  it('S26: takes no variable that decides where other programs send requests or what they run', async () => {
    const { port } = await startTestDaemon()
    await exec(port, '/set\n{https_proxy} = "http://x"\n{npm_config_script_shell} = "/x"\n{mine} = "y"')
    const { body } = await exec(port, '/exec echo "$https_proxy|$npm_config_script_shell|$mine"')
    expect(body).toMatch(/---\n\|\|y$/)
  })

  it('S36: what a response set reaches a process as STRING_VAR_NAME only, what the caller set under its own name too', async () => {
    const { origin } = await startService((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"evil":"https://evil.test"}')
    })
    const names = ['yarn_registry', 'prefix', 'ld_preload', 'city', 'both']
    const template = names.map((name) => `{${name}} = {Response.body.evil}`).join('\n')
    const { run } = await openWith(action(`GET ${origin}/`, template))
    const shown = async (): Promise<string> => (await run('/exec env | grep -i "evil\\|seoul" | sort')).body
    await run('/set {both} = "before"')
    await run('/act.go')
    expect((await shown()).split('\n').slice(2)).toEqual(
      names.map((name) => `STRING_VAR_${name.toUpperCase()}=https://evil.test`).sort(),
    )
    await run('/set {other} = "{city}"')
    expect(await shown()).toContain('\nother=https://evil.test')
    await run('/set {city} = "Seoul"')
    const after = await shown()
    expect(after).toContain('\ncity=Seoul\n')
    expect(after).toContain('\nSTRING_VAR_CITY=Seoul\n')
    expect(after).not.toMatch(/^(?:prefix|both|yarn_registry)=/m)
    await run('/unset {city}')
    expect(await shown()).not.toMatch(/city=/i)
  })

  it('S16: inherits no descriptor of the daemon, and standard input is at its end', async () => {
    const { port } = await startTestDaemon()
    await exec(port, 'true', { topic: 'bash:a' })
    await exec(port, 'true', { topic: 'bash:b' })
    const { body } = await exec(
      port,
      // Into a file: while bash starts a pipeline, it holds an end of the pipe itself.
      '/exec ls -l /proc/$$/fd | grep -c ptmx; ls /proc/$$/fd > fds; tr "\\n" " " < fds; echo; cat; echo end',
    )
    const [terminals, descriptors, end] = body.split('---\n')[1]?.split('\n') ?? []
    expect(terminals).toBe('0')
    expect(descriptors?.trim()).toBe('0 1 2')
    expect(end).toBe('end')
  })

  it('says what is wrong with a command that is one name because of its quotes', async () => {
    const { port } = await startTestDaemon()
    const said = async (text: string): Promise<string> => (await exec(port, text)).body
    expect(await said('/exec "seq 1 3"')).toMatch(/^exit: 127 .*\n\(all of it is in quotes.*: \/exec seq 1 3\)$/s)
    expect(await said('/exec "nothing"')).not.toContain('in quotes')
    expect(await said("/exec 'a b' 'c d'")).not.toContain('in quotes')
  })

  it('shows what a person would see: no colours, progress at its last state', async () => {
    const { port } = await startTestDaemon()
    expect((await exec(port, "/exec printf '\\033[31mred\\033[0m 10%%\\r\\033[Kred 100%%\\n'")).body).toMatch(
      /---\nred 100%$/,
    )
  })

  it('S20: keeps head and tail of large output and says where the whole is, until the topic is closed', async () => {
    const { port, home } = await startTestDaemon()
    const { body } = await exec(port, '/exec seq 1 200000')
    expect(Buffer.byteLength(body)).toBeLessThan(300 * 1024)
    expect(body).toMatch(/---\n1\n2\n3\n/)
    expect(body).toMatch(/\n199999\n200000$/)
    const [, left, path = ''] = /\n… (\d+) bytes left out; the whole is in (\S+), \/open reads it …\n/.exec(body) ?? []
    expect(Number(left)).toBeGreaterThan(1_000_000)
    const file = path.replace('~', home)
    expect(readFileSync(file, 'utf8')).toBe(
      execFileSync('seq', ['1', '200000'], { encoding: 'utf8', maxBuffer: 1 << 24 }),
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await exec(port, `/open ${path} --source --page 2`)).head.ok).toBe(true)
    await exec(port, '/close')
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(join(home, '.string/.gitignore'), 'utf8')).toBe('*\n')
    expect(readdirSync(join(home, '.string/output'))).toEqual([])
  })

  it('R16: an output that cannot be removed does not keep its topic from closing', async () => {
    const { port, home, log } = await startTestDaemon()
    for (const close of ['/close', 'DELETE']) {
      await exec(port, '/exec seq 1 100000')
      const folder = join(home, '.string/output')
      const [name = ''] = readdirSync(folder)
      rmSync(join(folder, name))
      mkdirSync(join(folder, name, 'in-the-way'), { recursive: true })
      if (close === '/close') expect((await exec(port, close)).head.ok).toBe(true)
      else expect((await call(port, 'DELETE', '/sessions/default/main')).json).toMatchObject({ deleted: true })
      expect((await exec(port, '/exec echo afresh')).body).toContain('afresh')
      rmSync(folder, { recursive: true })
    }
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  it('S11: says that a script or its variables are too long for the system', async () => {
    const { port } = await startTestDaemon()
    const long = await exec(port, `/exec echo ${'x'.repeat(200_000)}`)
    expect(long.head.code).toBe('LOAD_ERROR')
    expect(long.body).toContain(
      'the command and its variables are too long for the system\n  Put what is long into a file',
    )
    for (let index = 0; index < 60; index += 1) await exec(port, `/set {v${index}} = "${'x'.repeat(50_000)}"`)
    expect((await exec(port, '/exec true')).head.code).toBe('LOAD_ERROR')
    await exec(port, '/close')
    expect((await exec(port, '/exec echo fine')).body).toContain('fine')
  })

  it('R4: says so when <data>/env cannot be read, in every kind of shell', async () => {
    const { port, dataDir } = await startTestDaemon()
    mkdirSync(join(dataDir, 'env'))
    expect((await exec(port, '/exec true')).body).toContain('EISDIR')
    expect((await exec(port, 'true', { topic: 'bash:dev' })).body).toContain('EISDIR')
  })

  it('does not wait for what went to the background, which ends with the topic', async () => {
    const daemon = await startTestDaemon()
    expect((await exec(daemon.port, '/exec sleep 300 & echo started')).body).toMatch(/---\nstarted$/)
    expect(alive(daemon)).toHaveLength(1)
    await exec(daemon.port, '/close')
    expect(alive(daemon)).toEqual([])
  })
})

describe('stop is a fact', () => {
  it.each(Object.entries(STUBBORN))(
    'R15: after the limit nothing that was started is alive: children that %s',
    async (_name, script) => {
      const daemon = await startTestDaemon({ execMs: 60_000 })
      // The limit comes when it has begun, however long that took.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
      onTestFinished(() => void vi.useRealTimers())
      const running = exec(daemon.port, `/exec echo begun; touch begun; ${script}`)
      await expect.poll(() => existsSync(join(daemon.home, 'begun')) && alive(daemon).length > 1).toBe(true)
      vi.advanceTimersByTime(60_000)
      const { head, body } = await running
      expect(head.code).toBe('EXIT_124')
      expect(body).toMatch(/^exit: 124 \| cwd: .*\n---\nbegun\n\(ended after 60 s, with everything it started\)\n/)
      expect(body).toMatch(/\(for longer work use a topic bash:NAME: .*\)$/)
      expect(alive(daemon)).toEqual([])
      expect((await exec(daemon.port, '/exec echo again')).body).toContain('again')
    },
  )

  it.each(Object.entries(STUBBORN))('R15: after closing the topic: children that %s', async (_name, script) => {
    const daemon = await startTestDaemon()
    const running = exec(daemon.port, `/exec ${script}`)
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(1)
    await call(daemon.port, 'DELETE', '/sessions/default/main')
    expect(alive(daemon)).toEqual([])
    expect((await running).head.code).toBe('CANCELLED')
  })

  it.each(Object.entries(STUBBORN))(
    'after a cancel, and the topic goes on: children that %s',
    async (_name, script) => {
      const daemon = await startTestDaemon()
      await exec(daemon.port, '/set {kept} = "yes"')
      const running = exec(daemon.port, `/exec ${script}`)
      await expect.poll(() => alive(daemon).length).toBeGreaterThan(1)
      const { json } = await call(daemon.port, 'POST', '/sessions/default/main/cancel')
      expect(json).toEqual({ agent_id: 'default', topic: 'main', cancelled: 1 })
      expect(alive(daemon)).toEqual([])
      expect((await running).head.code).toBe('CANCELLED')
      expect((await exec(daemon.port, '/exec echo "$kept"')).body).toContain('yes')
    },
  )

  it('R15: after deleting the agent, and after a shutdown', async () => {
    const daemon = await startTestDaemon()
    const first = exec(daemon.port, `/exec ${STUBBORN['ignore TERM']}`)
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(1)
    await call(daemon.port, 'DELETE', '/agents/default')
    expect(alive(daemon)).toEqual([])
    expect((await first).head.code).toBe('CANCELLED')
    await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'default', home: daemon.home } })
    const second = exec(daemon.port, `/exec ${STUBBORN['double-fork']}`)
    await expect.poll(() => alive(daemon).length).toBeGreaterThan(1)
    await daemon.stop()
    expect(alive(daemon)).toEqual([])
    expect((await second).head.code).toBe('CANCELLED')
  })
})
