import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { livingProcess } from '@string-os/bridge/reap'
import { describe, expect, it, vi } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { parseGitTarget } from '../../src/packages/source/git-target.ts'
import { type GitEnd, type GitRun, readGit } from '../../src/packages/source/read-git.ts'
import { runProgram } from '../../src/shell/run-program.ts'
import { createAdmission } from '../../src/web/request.ts'
import { appPlace } from '../support/app-place.ts'
import { startTestDaemon } from '../support/daemon.ts'
import { startServer } from '../web/page-server.ts'

const document = (version: string, text: string): string =>
  `---\nname: weather\nversion: ${version}\n---\n# Weather\n${text}`
const act = (id: string, text: string): string => `\n\`\`\`act.${id}\n${text}\n\`\`\`\n`

/** A repository below home, and git in it. */
function repository(home: string, name = 'weather'): (...args: string[]) => string {
  const folder = join(home, name)
  mkdirSync(folder, { recursive: true })
  const config = ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main']
  const git = (...args: string[]): string =>
    execFileSync('git', [...config, ...args], { cwd: folder, encoding: 'utf8' }).trim()
  git('init', '--quiet')
  return git
}

describe('/install of a git repository', () => {
  it('that only holds packages in its folders names them, as a folder does', async () => {
    const { reply, put, home } = await appPlace()
    const git = repository(home, 'repo')
    put({ 'repo/library/string.md': '# Library', 'repo/other/deep/string.md': '# Deep' })
    git('add', '-A')
    git('commit', '--quiet', '-m', 'one')
    expect(await reply('/install ./repo/.git')).toContain(
      'Did you mean ./repo/.git#:library or ./repo/.git#:other/deep?',
    )
    for (const typed of ['repo', './repo', './repo/']) {
      const answer = await reply(`/install ${typed}`)
      expect(answer).toContain('has no string.md\n  Did you mean ./repo/library?')
    }
    expect(await reply('/install ./repo/library')).toContain('Installed app:library')
    expect(await reply('/install ./repo/.git#:other/deep')).toContain('Installed app:deep')
  })

  it('leaves out what may hold secrets as a folder does, says so, and is then up to date', async () => {
    const { reply, put, home, stateDir } = await appPlace()
    const git = repository(home)
    put({ 'weather/string.md': document('1.0.0', ''), 'weather/.env': 'KEY=1', 'weather/keys/id_rsa': 'x' })
    put({ 'weather/.ssh/config': 'x', 'weather/.env.example': 'KEY=' })
    git('add', '-A')
    git('commit', '--quiet', '-m', 'one')
    execFileSync('git', ['archive', '--format=tar', '-o', join(home, 'weather.tar'), 'HEAD'], {
      cwd: join(home, 'weather'),
    })
    for (const source of ['./weather/.git', 'weather.tar', 'weather']) {
      expect(await reply(`/install --replace ${source}`)).toContain(
        'Left out, as they may hold secrets:\n- .env\n- .ssh/\n- keys/id_rsa\n',
      )
      expect(readdirSync(join(stateDir, 'packages/weather')).sort()).toEqual(['.env.example', 'string.md'])
      expect(await reply('/install --update weather')).toContain('Files: none changed')
    }
  })

  it('takes a branch, a tag, a commit or a folder, and says what changed since', async () => {
    const { reply, put, home, stateDir } = await appPlace()
    const git = repository(home)
    put({
      'weather/string.md': document('1.0.0', act('now', 'CLI date')),
      'weather/other/string.md': '---\nname: other\n---\n# Other',
    })
    git('add', '-A')
    git('commit', '--quiet', '-m', 'one')
    git('tag', 'v1.0.0')
    const first = git('rev-parse', 'HEAD')
    put({
      'weather/string.md': document('1.1.0', act('now', 'CLI date') + act('ask', 'GET https://api.example.com/x')),
      'weather/new.md': '# New',
    })
    git('add', '-A')
    git('commit', '--quiet', '-m', 'two')
    execFileSync('git', ['clone', '--quiet', '--bare', join(home, 'weather'), join(home, 'hosted.git')])

    expect(await reply('/install --dry-run ./hosted.git#v1.0.0')).toContain('From: ./hosted.git#v1.0.0 (2 files, ')
    expect(await reply('/install ./hosted.git#v1.0.0')).toMatch(/^Installed app:weather\n---\nFrom: /)
    expect(readdirSync(join(stateDir, 'packages/weather')).sort()).toEqual(['other', 'string.md'])
    const updated = `It may do more than the installed version:
+ reaches api.example.com
+ sends ask: GET https://api.example.com/x
Version: 1.0.0 → 1.1.0
2 files changed:
- added new.md
- changed string.md
From: ./hosted.git (3 files, `
    expect(await reply('/install --dry-run ./hosted.git')).toContain(`Would install app:weather\n---\n${updated}`)
    expect(await reply('/install ./hosted.git')).toContain(`Installed app:weather\n---\n${updated}`)
    expect(await reply(`/install file://${home}/hosted.git#${first}`)).toContain(
      'It may no longer do:\n- reaches api.example.com\n- sends ask: GET https://api.example.com/x\nVersion: 1.1.0 → 1.0.0, which is older\n',
    )
    expect(await reply('/install ./weather/.git#main:other')).toContain('Installed app:other')
    const same = await reply('/install --update other')
    expect(same).toContain(
      'app:other is up to date\n---\nIt may do what the installed version may\nVersion: no version, as before\nFiles: none changed\nIt follows the branch main: an update takes what that is now. ',
    )
    expect(same).toContain(`Another: /install ${home}/weather/.git#OTHER:other\nNext: `)
    const pinned = 'takes that again, and never a newer version. Another: /install '
    expect(await reply('/install --update weather')).toContain(
      `It is pinned at the commit ${first}: an update ${pinned}`,
    )
    await reply('/install ./hosted.git#v1.0.0')
    expect(await reply('/install --update weather')).toContain(`It is pinned at the tag v1.0.0: an update ${pinned}`)
    expect(same).not.toContain('From: ')
    expect(await reply('/install ./hosted.git#v9')).toContain(
      'ERROR(NOT_FOUND): ./hosted.git#v9 has no branch, tag or commit v9\n  It has main, v1.0.0: ./hosted.git#main takes that one',
    )
    expect(await reply('/install ./hosted.git#v1.0:other')).toContain('./hosted.git#v1.0.0:other takes that one')
    expect(await reply('/install ./hosted.git#:othr')).toContain('Did you mean ./hosted.git#:other?')
    expect(await reply('/install ./hosted.git#v1.0.0:nowhere')).toContain('Did you mean ./hosted.git#v1.0.0:other?')
    expect(await reply('/install ./hosted.git#:nowhere')).toContain(
      'ERROR(NOT_FOUND): ./hosted.git#:nowhere has no folder nowhere',
    )
    // As after the first push into an empty one that calls its branch otherwise.
    writeFileSync(join(home, 'hosted.git/HEAD'), 'ref: refs/heads/master\n')
    expect(await reply('/install ./hosted.git')).toBe(
      'ERROR(NOT_FOUND): ./hosted.git has no branch, tag or commit HEAD\n  It has main: ./hosted.git#main takes that one',
    )
    expect(await reply('/install --link ./hosted.git')).toContain(
      'ERROR(INVALID_PARAMS): A git repository cannot be linked',
    )
    expect(await reply('/install file:///etc/x.git')).toContain('ERROR(INVALID_PATH)')
  })

  it('runs nothing of it and of nobody, checks nothing out, and leaves nothing behind', async () => {
    const { reply, put, home, state } = await appPlace()
    const git = repository(home)
    put({
      'weather/string.md': document('1', ''),
      'weather/.gitattributes': '* filter=evil diff=evil\n',
      '.gitconfig': `[filter "evil"]\n\tsmudge = touch ${home}/ran\n[core]\n\thooksPath = ${home}/hooks\n\tfsmonitor = touch ${home}/ran\n[init]\n\ttemplateDir = ${home}/template\n`,
    })
    for (const hook of ['hooks/post-checkout', 'hooks/reference-transaction', 'template/hooks/post-fetch']) {
      put({ [hook]: `#!/bin/sh\ntouch ${home}/ran\n` })
      execFileSync('chmod', ['755', join(home, hook)])
    }
    git('add', '-A')
    git('commit', '--quiet', '-m', 'one')
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('string-git-'))
    expect(await reply('/install ./weather/.git')).toContain('Installed app:weather')
    expect(existsSync(join(home, 'ran'))).toBe(false)
    symlinkSync('/etc/passwd', join(home, 'weather/link'))
    git('add', '-A')
    git('commit', '--quiet', '-m', 'two')
    const whole = state()
    expect(await reply('/install ./weather/.git')).toContain('a package holds no links: "link"')
    expect(state()).toEqual(whole)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('string-git-'))).toEqual(before)
  })

  it('asks nobody, and is ended with all it started when the command is stopped', async () => {
    const dir = tempDir()
    const bin = join(dir, 'bin')
    mkdirSync(bin)
    const ssh = `#!/bin/sh\n(echo "$@"; env) > ${dir}/asked\nsleep 600 &\necho $$ $! > ${dir}/pids.new; mv ${dir}/pids.new ${dir}/pids\nwait\n`
    writeFileSync(join(bin, 'ssh'), ssh, { mode: 0o755 })
    const { port } = await startTestDaemon({
      dir,
      environment: { PATH: `${bin}:${process.env.PATH}`, GIT_DIR: '/nowhere', GIT_SSH: '/nowhere', API_KEY: 'secret' },
    })
    const installing = exec(port, '/install git@host.test:acme/weather.git')
    const pids = await vi.waitFor(() => readFileSync(join(dir, 'pids'), 'utf8').trim().split(' '), { timeout: 20_000 })
    await call(port, 'POST', '/sessions/default/main/cancel')
    expect((await installing).head.code).toBe('CANCELLED')
    for (const pid of pids) await vi.waitFor(() => expect(livingProcess(Number(pid))).toBeNull(), { timeout: 10_000 })
    const asked = readFileSync(join(dir, 'asked'), 'utf8')
    expect(asked).toMatch(/BatchMode=yes .*git@host\.test git-upload-pack 'acme\/weather\.git'/)
    expect(asked).toContain('GIT_TERMINAL_PROMPT=0')
    expect(asked).not.toContain('secret')
  })

  it('goes over http to the address that passed the guard, and follows no redirect', async () => {
    const dir = tempDir()
    const git = repository(dir)
    writeFileSync(join(dir, 'weather/string.md'), document('1', ''))
    git('add', '-A')
    git('commit', '--quiet', '-m', 'one')
    const { port } = await startServer((request, response) => {
      if (request.url?.startsWith('/moved')) return void response.writeHead(302, { Location: '/weather' }).end()
      const [path = '', query = ''] = (request.url ?? '').split('?')
      const backend = spawn('git', ['http-backend'], {
        env: {
          ...process.env,
          GIT_PROJECT_ROOT: dir,
          GIT_HTTP_EXPORT_ALL: '1',
          PATH_INFO: path,
          QUERY_STRING: query,
          REQUEST_METHOD: request.method,
          CONTENT_TYPE: request.headers['content-type'] ?? '',
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
          GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        },
      })
      request.pipe(backend.stdin)
      const chunks: Buffer[] = []
      backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
      backend.on('close', () => {
        const whole = Buffer.concat(chunks)
        const end = whole.indexOf('\r\n\r\n')
        const headers = whole
          .subarray(0, end)
          .toString()
          .split('\r\n')
          .map((line) => line.split(/: (.*)/s))
        for (const [name = '', value = ''] of headers) if (name !== 'Status') response.setHeader(name, value)
        response.end(whole.subarray(end + 4))
      })
    })
    const read = (url: string) => {
      const target = targetOf(url)
      const admit = createAdmission({ ownPort: () => 1, resolve: async () => ['127.0.0.1'] })
      const env = { PATH: process.env.PATH ?? '', HOME: dir }
      return readGit(
        { kind: 'git', target, typed: url, signal: new AbortController().signal },
        {
          admit,
          git: (run) => runProgram({ ...run, file: 'git', owner: 'test:git', env: { ...env, ...run.variables } }),
        },
      )
    }
    expect(await read(`http://host.test:${port}/weather/.git`)).toMatchObject({
      ok: true,
      name: 'weather',
      entry: 'string.md',
    })
    expect(await read(`http://host.test:${port}/moved/.git`)).toMatchObject({
      code: 'LOAD_ERROR',
      system: expect.stringContaining('redirects, and git is not sent elsewhere'),
    })
  })

  it('is given the addresses of its host that passed the guard, and no host that did not', async () => {
    const seen: string[] = []
    const git = (run: GitRun): Promise<GitEnd> => {
      seen.push(run.args.join(' '))
      return Promise.resolve({ kind: 'timeout' })
    }
    const hosts: Record<string, string[]> = { 'host.test': ['93.184.216.34'], 'meta.test': ['169.254.169.254'] }
    const admit = createAdmission({ ownPort: () => 3923, resolve: async (name) => hosts[name] ?? [] })
    const read = (url: string) =>
      readGit({ kind: 'git', target: targetOf(url), typed: url, signal: new AbortController().signal }, { git, admit })
    expect(await read('https://host.test/x.git')).toMatchObject({ code: 'TIMEOUT' })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toContain('-c http.curloptResolve=host.test:443:93.184.216.34 ')
    for (const url of ['https://meta.test/x.git', 'http://127.0.0.1:3923/x.git', 'https://a:b@host.test/x.git'])
      expect(await read(url)).toMatchObject({ code: 'INVALID_TARGET' })
    expect(await read('https://none.test/x.git')).toMatchObject({ code: 'LOAD_ERROR' })
    expect(seen).toHaveLength(1)
  })
})

function targetOf(typed: string): Extract<ReturnType<typeof parseGitTarget>, { ok: true }> {
  const target = parseGitTarget(typed)
  if (target === null || !target.ok) throw new Error(`${typed} is no repository`)
  return target
}

describe('a repository as it is typed', () => {
  it.each([
    ['https://host.test/a/b.git', { transport: 'web', ref: null, below: null }],
    ['https://host.test/a/b.git#v1:apps/x', { transport: 'web', ref: 'v1', below: 'apps/x' }],
    [
      'git+https://host.test/a/b#:apps',
      { transport: 'web', repository: 'https://host.test/a/b', ref: null, below: 'apps' },
    ],
    ['git@host.test:a/b.git#main', { transport: 'ssh', repository: 'git@host.test:a/b.git', ref: 'main' }],
    ['ssh://git@host.test:22/a/b.git', { transport: 'ssh', ref: null }],
    ['./b.git#feature/x', { transport: 'local', repository: './b.git', ref: 'feature/x' }],
    ['file:///srv/b.git', { transport: 'local', repository: '/srv/b.git' }],
  ])('%s is one', (typed, parts) => {
    expect(parseGitTarget(typed)).toMatchObject({ ok: true, ...parts })
  })

  it.each(['https://host.test/a.md', 'https://host.test/a.git.md', './weather', 'weather.md', 'https://h.test/x.tgz'])(
    '%s is none',
    (typed) => expect(parseGitTarget(typed)).toBeNull(),
  )

  it.each([
    'https://h.test/x.git#--upload-pack=touch',
    'https://h.test/x.git#-x',
    'https://h.test/x.git#a..b',
    'https://h.test/x.git#refs/*:refs/*',
    'https://h.test/x.git#v1:-x',
    'https://h.test/x.git#v1:/etc',
    'https://h.test/x.git#v1^{tree}',
    'ssh://-oProxyCommand=touch/x.git',
    'git@-oProxyCommand=x:y.git',
    '-u@host:y.git',
    'git@host:-x.git',
  ])('%s is refused', (typed) => {
    expect(parseGitTarget(typed)).toMatchObject({ ok: false, code: 'INVALID_TARGET' })
  })
})
