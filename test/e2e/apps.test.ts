import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startForeground } from '../support/foreground.ts'
import { call, exec } from '../support/http.ts'
import { tempDir } from '../support/temp.ts'

const apps = join(import.meta.dirname, '../../examples/apps')

/** A real daemon and an agent that has nothing but commands. */
async function agent(): Promise<{ say: (cmd: string, topic?: string) => Promise<string>; home: string }> {
  const dir = tempDir()
  const home = join(dir, 'home')
  const { child, exited, port } = await startForeground(dir)
  onTestFinished(async () => {
    child.kill()
    await exited
  })
  await call(port, 'POST', '/agents', { body: { agent_id: 'default', home, allowed_paths: [apps] } })
  const say = async (cmd: string, topic?: string): Promise<string> =>
    (await exec(port, cmd, topic === undefined ? {} : { topic })).body
  return { say, home }
}

describe('the example app tasks', () => {
  it('keeps a list that survives a reinstall and that a person can edit', { timeout: 120_000 }, async () => {
    const { say, home } = await agent()
    const plan = await say(`/install --dry-run ${apps}/tasks`)
    expect(plan).toContain('Would install app:tasks')
    expect(plan).toContain('- $TASKS_FILE (The file that holds the tasks, relative to home)')
    expect(plan).toContain('Reaches:\n- anything: its commands may use the network')
    expect(await say(`/install ${apps}/tasks`)).toContain('Installed app:tasks')
    expect(await say('/open app:tasks')).toMatch(
      /^Opened app:tasks\n---\n\[actions\] list, add.*# Tasks.*\n---\n {4}No tasks\.$/s,
    )
    const topic = 'app:tasks'
    expect(await say('/act.add --help', topic)).toContain('/act.add TEXT')
    expect(await say('/act.add "write the report"', topic)).toBe('Added: 1. [ ] write the report')
    expect(await say(`/act.add 'call $(whoami); "Ann" & co'`, topic)).toBe('Added: 2. [ ] call $(whoami); "Ann" & co')
    expect(await say('/act.done 1', topic)).toBe('Done: 1. [x] write the report')
    expect(await say('/act.list', topic)).toBe('2. [ ] call $(whoami); "Ann" & co')
    expect(await say('/act.list done', topic)).toBe('1. [x] write the report')
    expect(await say('/act.done 7', topic)).toBe(
      'ERROR(ACTION_FAILED): The command ended with status 1\n  There is no task 7; there are 2\n  /act.done --dry-run 7 shows the command as it is run',
    )
    expect(await say('/act.done many', topic)).toContain('ERROR(INVALID_PARAMS)')
    await say('/append ~/tasks.md\n- [ ] added by hand')
    expect(await say(`/install ${apps}/tasks`)).toContain('Installed app:tasks')
    expect(await say('/refresh', topic)).toContain(
      '\n---\n    2. [ ] call $(whoami); "Ann" & co\n    3. [ ] added by hand',
    )
    expect(await say('/act.reopen 1', topic)).toBe('Open again: 1. [ ] write the report')
    expect(await say('/act.remove 2', topic)).toBe('Removed: call $(whoami); "Ann" & co')
    expect(readFileSync(join(home, 'tasks.md'), 'utf8')).toBe(
      '# Tasks\n\n- [ ] write the report\n- [ ] added by hand\n',
    )
    await say('/set $TASKS_FILE = "work/tasks.md"', 'app:tasks:work')
    expect(await say('/act.add "only at work"', 'app:tasks:work')).toBe('Added: 1. [ ] only at work')
    expect(await say('/act.list', topic)).not.toContain('only at work')
    expect(await say('/uninstall tasks', topic)).toBe(
      'Uninstalled tasks\n---\nIts stored variables stay, for when it is installed again from the same source: $TASKS_FILE\nRemove them: /uninstall --purge tasks',
    )
    expect(await say('/open ~/tasks.md')).toContain('added by hand')
  })
})

describe('the example app bookmarks', () => {
  it('starts its service in a shell topic and keeps links through it', { timeout: 120_000 }, async () => {
    const { say } = await agent()
    const installed = await say(`/install ${apps}/bookmarks`)
    expect(installed).toContain('Runs:\n- service: `printf ')
    expect(installed).toContain('Reaches:\n- 127.0.0.1:$BOOKMARKS_PORT')
    const topic = 'app:bookmarks'
    expect(await say('/open app:bookmarks')).toContain('`/act.service` prints the command that starts it')
    const start = await say('/act.service', topic)
    expect(start).toContain('/packages/bookmarks/server.mjs --file ')
    await say(`${start} --port 0 > service.log 2>&1 &`, 'bash:bookmarks')
    const port = await vi.waitFor(
      async () => {
        const [, found] = /127\.0\.0\.1:(\d+)/.exec(await say('/exec cat service.log')) ?? []
        if (found === undefined) throw new Error('The service is not there yet')
        return found
      },
      { timeout: 20_000, interval: 100 },
    )
    await say(`/set $BOOKMARKS_PORT = ${port}`, topic)
    expect(await say('/act.list', topic)).toBe('Bookmarks: 0')
    expect(await say('/act.add https://example.com/?a=1&b="2" "Example & co" --tags "a, b"', topic)).toBe(
      'Kept: Example & co (b1)',
    )
    expect(await say('/act.add https://example.org "Another" -t b', topic)).toBe('Kept: Another (b2)')
    expect(await say('/act.add nonsense "No address"', topic)).toContain('url is no address')
    expect(await say('/act.list', topic)).toBe(
      'Bookmarks: 2\n- @bookmark-1: Example & co · https://example.com/?a=1&b=2 · a, b\n- @bookmark-2: Another · https://example.org · b',
    )
    expect(await say('/act.list --tag a', topic)).toContain('Bookmarks: 1')
    expect(await say('/act.list', topic)).toContain('Bookmarks: 2')
    expect(await say('/act.page', topic)).toContain('# Bookmarks\n\n- [Example & co][@b1]\n- [Another][@b2]')
    expect(await say('/act.list', topic)).toContain('Bookmarks: 2')
    expect(await say('/back', topic)).toContain('Back to app:bookmarks')
    expect(await say('/act.remove @bookmark-1', topic)).toBe('Removed: Example & co')
    expect(await say('/act.remove b1', topic)).toContain('There is no bookmark b1')
    expect(await say('/open ~/bookmarks.json')).toContain('Another')
    await say('//close', 'bash:bookmarks')
    expect(await say('/act.list', topic)).toContain('ERROR(ACTION_FAILED): Nothing answers at')
  })
})

describe('the example app runbook', () => {
  it('leads through its pages and keeps a record', { timeout: 120_000 }, async () => {
    const { say } = await agent()
    await say(`/install ${apps}/runbook`)
    const topic = 'app:runbook:db'
    expect(await say('/nav', topic)).toContain('[Triage][@main.triage]')
    expect(await say('/act.note "too early"', topic)).toContain('There is no open record')
    expect(await say('/open @severity', topic)).toContain('| severity | means | who |')
    expect(await say('/back', topic)).toContain('# Incident runbook')
    const begun = await say('/act.begin "Database is down" --severity 2', topic)
    expect(begun).toMatch(/^Begun: ~\/incidents\/\d{4}-\d\d-\d\d-database-is-down\.md$/)
    expect(await say('/act.begin "Another"', topic)).toContain('There is an open record already')
    expect(await say('/act.begin "Bad" --severity 9', topic)).toContain('ERROR(INVALID_PARAMS)')
    expect(await say('/open @triage', topic)).toContain('[actions] note\n[menus] main\n\n# Triage')
    expect(await say('/act.note "since 10:02, all writes fail"', topic)).toMatch(/^Noted in ~\/incidents\//)
    expect(await say('/open @severity', topic)).toContain('| 1 | data is lost')
    expect(await say('/open @main.mitigate', topic)).toContain('# Mitigate')
    expect(await say('/act.note "rolled back to 41"', topic)).toContain('Noted')
    expect(await say('/open @main.start', topic)).toContain('rolled back to 41')
    expect(await say('/open @main.review', topic)).toContain('# Review')
    const closed = await say('/act.finish "a bad migration"', topic)
    expect(closed).toMatch(/^Closed: /)
    const record = begun.replace('Begun: ', '')
    expect(await say(`/open ${record}`)).toMatch(
      /Severity 2, closed.*all writes fail.*closed: a bad migration.*## Review/s,
    )
    expect(await say('/open', topic)).toContain('\n---\n    No incident is open.')
    expect(await say('/edit ./string.md\nx', topic)).toContain('ERROR(INVALID_PATH)')
  })
})
