import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openTerminal } from '../../packages/stringd/test/support/terminal.ts'
import { stringPlace } from '../support/cli.ts'
import { tempDir } from '../support/temp.ts'

describe('a path for which a shell has put the home of its user', () => {
  it('is told with what it would be in quotes, beside the answer that programs read', async () => {
    const place = stringPlace()
    writeFileSync(join(place.dir, 'there.md'), '')
    const said = async (file: string): Promise<string> =>
      (await place.string(['main', '/open', join(place.dir, file)], { cwd: tempDir() })).stderr
    const meant = "In quotes, ~ is the home of the agent: string main '/open ~/"
    expect(await said('there.md')).toBe(`string: ${meant}there.md'\n`)
    expect(await said('gone.md')).toBe(`string: There is no ${join(place.dir, 'gone.md')}. ${meant}gone.md'\n`)
    expect((await place.string(['main', '/open /etc/nothing'], { cwd: tempDir() })).stderr).toBe('')
  })
})

describe('a path outside the workspace, at a prompt', () => {
  it('is told of by Tab; its folder is opened to the agent where its person says so, and the command runs', async () => {
    const place = stringPlace()
    const folder = tempDir()
    const path = join(folder, 'away.md')
    writeFileSync(path, '# Far away\n')
    const terminal = openTerminal(place, ['main'])
    await terminal.shows(/>$/)
    terminal.type(`/open ${folder}/\t`)
    await vi.waitFor(() => expect(terminal.shown().replace(/\n/g, '')).toMatch(/ {2}outside the workspace$/), {
      timeout: 20_000,
    })
    terminal.type('\x15')
    const asked =
      /string\s+agent\s+allow\s+default\s+\S+\s+opens\s+another\s+folder\n(?:.*\n)*Open \S+ to default\? \[y\/N\]$/
    for (const no of ['\r', 'n\r', 'yo\r']) {
      terminal.type(`/open ${path}\r`)
      await terminal.shows(asked)
      terminal.type(no)
      await terminal.shows(/main \S+>$/)
    }
    expect((await place.string(['agent', 'allow', 'default'])).stdout).toMatch(/ default may use: \(none\)\n$/)
    terminal.type(`/open ${path}\r`)
    await terminal.shows(asked)
    terminal.type('y\r')
    await terminal.shows(/ default may\s+use:[\s\S]*\nFar away\nmain \S+>$/)
    terminal.type('\x04')
    expect(await terminal.exited).toBe(0)
    const { stdout } = await place.string(['agent', 'allow', 'default', '--json'])
    expect(JSON.parse(stdout)).toEqual({ agent_id: 'default', allowed_paths: [folder] })
    const { stdout: removed } = await place.string(['agent', 'allow', 'default', '--remove', folder])
    expect(removed).toMatch(/ default may use: \(none\)\n$/)
    const nowhere = await place.string(['agent', 'allow', 'default', '/no/such/folder'])
    expect(nowhere).toMatchObject({
      status: 0,
      stderr: 'warning: /no/such/folder does not exist; it is opened once it can be\n',
    })
    await place.string(['agent', 'allow', 'default', '--remove', '/no/such/folder'])
    // Nobody is asked where nobody sits.
    const refused = await place.string(['main', `/open ${path}`, '--json'])
    expect(JSON.parse(refused.stdout)).toMatchObject({ code: 'INVALID_PATH', data: { outside: folder } })
  })
})
