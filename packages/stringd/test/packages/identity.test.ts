import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`
const app = (title: string): string =>
  `---\nname: weather\ntitle: ${title}\nenv: [API_KEY]\n---\n# ${title}\n${act('key', 'CLI printf %s "$API_KEY" | tr a-z b-za')}`

describe('S34: a package from another source', () => {
  it('is a conflict until --replace, and gets none of the variables of the one before', async () => {
    const { reply } = await appPlace()
    const { origin } = await startServer(({ url }, response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown' }).end(app(url === '/evil.md' ? 'Evil' : 'Good'))
    })
    await reply(`/install ${origin}/weather.md`)
    await reply('/set $API_KEY = secret', 'app:weather')
    await reply('/set $API_KEY = korean', 'app:weather:korea')
    expect(await reply('/act.key', 'app:weather')).toBe('tfdsfu')
    for (const flag of ['', '--dry-run ']) {
      const refused = await reply(`/install ${flag}${origin}/evil.md`)
      expect(refused).toContain(
        `ERROR(CONFLICT): weather is already app weather from ${origin}/weather.md; this is weather`,
      )
      expect(refused).toContain('/install --replace')
    }
    expect(await reply('/open app:weather')).toContain('# Good')

    expect(await reply(`/install --replace ${origin}/evil.md`)).toContain('- $API_KEY · not set: ')
    expect(await reply('/topics')).not.toContain('app:weather:korea')
    for (const topic of ['app:weather', 'app:weather:korea']) {
      expect(await reply('/act.key', topic)).toContain('ERROR(ENV_REQUIRED)')
      expect(await reply('/set', topic)).toBe('Variables\n---\n$API_KEY: not set')
    }
    await reply('/set $API_KEY = other', 'app:weather')

    expect(await reply(`/install --replace ${origin}/weather.md#again`)).toContain('Installed app:weather')
    expect(await reply('/act.key', 'app:weather')).toBe('tfdsfu')
    expect(await reply('/act.key', 'app:weather:korea')).toBe('lpsfbo')
  })

  it('says what another package lacks, also in the topic of the one that it replaces', async () => {
    const { reply, put } = await appPlace()
    put({ 'a/string.md': app('A'), 'b/string.md': app('B') })
    await reply('/install --link a')
    await reply('/set $API_KEY = secret', 'app:weather')
    expect(await reply('/install --link --replace ~/b', 'app:weather')).toContain('- $API_KEY · not set: ')
    expect(await reply('/install --update weather', 'app:weather')).not.toContain('ERROR')
  })

  it('names what others of its name have left when it is removed', async () => {
    const { reply, run, put } = await appPlace()
    put({ 'a/string.md': app('A'), 'b/string.md': app('B') })
    await reply('/install a')
    await reply('/set $API_KEY = secret', 'app:weather')
    await reply('/install --replace b')
    const { body, head } = await run('/uninstall weather')
    expect(body).toBe(
      'Uninstalled weather\n---\nVariables that others of that name have stored stay: $API_KEY\nRemove them: /uninstall --purge weather',
    )
    expect(head.data).toEqual({ name: 'weather', variables_kept: ['API_KEY'], variables_removed: [] })
  })

  it('keeps what is stored for others of its name when it is purged: that is said, and how to remove it', async () => {
    const { reply, run, put } = await appPlace()
    put({ 'a/string.md': app('A'), 'b/string.md': app('B') })
    await reply('/install a')
    await reply('/set $API_KEY = secret', 'app:weather')
    await reply('/install --replace b')
    const { body, head } = await run('/uninstall --purge weather')
    expect(body).toBe(
      'Uninstalled weather\n---\nVariables that others of that name have stored stay: $API_KEY\nThey are of other sources. Once more removes them, too: /uninstall --purge weather',
    )
    expect(head.data).toEqual({ name: 'weather', variables_kept: ['API_KEY'], variables_removed: [] })
    expect(await reply('/uninstall --purge weather')).toContain('stored variables are removed: $API_KEY')
    expect(await reply('/install a')).toContain('- $API_KEY · not set')
  })

  it('is told by the real path of a folder, whatever its name is now', async () => {
    const { reply, put, home } = await appPlace()
    put({ 'a/string.md': app('A'), 'b/string.md': app('B') })
    symlinkSync(join(home, 'a'), join(home, 'same'))
    await reply('/install a')
    await reply('/set $API_KEY = secret', 'app:weather')
    for (const same of ['./a', '~/a', join(home, 'a'), 'same'])
      expect(await reply(`/install ${same}`)).toContain('Installed app:weather')
    expect(await reply('/install b')).toContain('ERROR(CONFLICT)')
    expect(await reply('/install --as b b')).toContain('$API_KEY · not set')
  })

  it('of a tool gets none of the variables either', async () => {
    const { reply, put } = await appPlace()
    put({ 'a.md': app('A'), 'b.md': app('B') })
    await reply('/install --tool a.md')
    await reply('/set $API_KEY = secret', 'app:weather')
    expect(await reply('/tool:weather')).toBe('tfdsfu')
    await reply('/install --tool --replace b.md')
    expect(await reply('/tool:weather')).toContain('ERROR(ENV_REQUIRED)')
  })
})

describe('S34: a home that came from elsewhere', () => {
  const CONFIG = {
    env: { API_KEY: 'theirs' },
    packages: {
      evil: {
        type: 'app',
        name: 'evil',
        entry: 'string.md',
        id: 'abc',
        source: 'x',
        origin: 'x',
        installedAt: 'now',
        default: 'go',
        needs: [{ name: 'SECRET' }],
      },
    },
  }

  it('brings no packages and no variables, and says what lies there', async () => {
    const { reply, put, home } = await appPlace()
    put({
      '.string/config.json': JSON.stringify(CONFIG),
      '.string/packages/evil/string.md': `# Evil\n${act('go', 'CLI touch ~/ran; echo "$SECRET"')}`,
      '.string/apps/evil/env.json': '{"A": "1"}',
    })
    await reply('/set $SECRET = mine')
    expect(await reply('/open app:evil')).toContain('ERROR(NOT_FOUND)')
    expect(await reply('/info', 'app:evil')).not.toContain('# Evil')
    expect(await reply('/act.go', 'app:evil')).toMatch(/^ERROR/)
    expect(await reply('/set', 'app:evil')).toBe('Variables\n---\n$SECRET = (set), for all')
    expect(readdirSync(home)).not.toContain('ran')
    expect(await reply('/open app')).toContain(
      'In ~/.string/packages, and not installed here: evil. To use one, move it out of ~/.string and /install it.',
    )
  })

  it('whose .string is a link gets nothing written through it', async () => {
    const { reply, home } = await appPlace()
    mkdirSync(join(home, 'public'))
    symlinkSync('public', join(home, '.string'))
    expect(await reply('/set $KEY = hunter2')).toBe('$KEY = (set)')
    expect(await reply('/exec head -c 300000 /dev/zero | tr "\\0" x')).toContain(
      'the whole could not be kept (ENOTDIR)',
    )
    expect(readdirSync(join(home, 'public'))).toEqual([])
    expect(await reply('/open .string/config.json')).toContain('ERROR(NOT_FOUND)')
  })

  it.each(['.string/output', '.string'])('whose %s leads outside loses nothing there', async (link) => {
    const { reply, home, dir } = await appPlace()
    const outside = join(dir, 'outside')
    mkdirSync(join(outside, 'output'), { recursive: true })
    for (const folder of [outside, join(outside, 'output')])
      for (let index = 0; index < 3; index += 1)
        writeFileSync(join(folder, `${index}.bin`), Buffer.alloc(40 * 1024 * 1024))
    if (link === '.string/output') mkdirSync(join(home, '.string'))
    symlinkSync(outside, join(home, link))
    expect(await reply('/exec head -c 300000 /dev/zero | tr "\\0" x')).toContain('could not be kept')
    expect(readdirSync(outside, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      '0.bin',
      '1.bin',
      '2.bin',
      'output',
      'output/0.bin',
      'output/1.bin',
      'output/2.bin',
    ])
  })

  it('has its tools as files of the workspace, and none behind a link', async () => {
    const { reply, put, home, dir } = await appPlace()
    const tool = `---\nenv: [KEY]\n---\n${act('go', 'CLI echo "got $KEY"')}`
    put({ '.string/tools/t.md': tool })
    await reply('/set $KEY = hunter2')
    expect(await reply('/tool:t')).toContain('ERROR(ENV_REQUIRED): A file of the workspace gets no stored variables')
    mkdirSync(join(dir, 'outside'))
    writeFileSync(join(dir, 'outside/u.md'), tool)
    writeFileSync(join(dir, 'outside/private.md'), 'SECRET')
    symlinkSync(join(dir, 'outside/u.md'), join(home, '.string/tools/u.md'))
    expect(await reply('/tool:u')).toContain('ERROR(')
    const other = await appPlace()
    mkdirSync(join(other.home, '.string'))
    symlinkSync(join(dir, 'outside'), join(other.home, '.string/tools'))
    expect(await other.reply('/tool')).toBe('Tools\n---\n(none)')
  })

  it('has nothing of packages and variables in it', async () => {
    const { reply, put, home, stateDir } = await appPlace()
    put({ 'a.md': app('A') })
    await reply('/install a.md')
    await reply('/set $API_KEY = secret', 'app:weather')
    expect(readdirSync(home)).toEqual(['a.md'])
    expect(readFileSync(join(stateDir, 'home'), 'utf8')).toBe(`${home}\n`)
  })
})
