import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Place, type Ran, run, STRING, stringPlace } from '../support/cli.ts'
import { hasPostgres, postgresServer } from '../support/postgres.ts'

const pageOf = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')

/** The blocks of a language in a section. */
function blocks(section: string, language: string, name = 'store.md'): string[] {
  const [, text = ''] = pageOf(name).split(`\n## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)
}

const hasProgram = (name: string): boolean =>
  (process.env.PATH ?? '').split(':').some((dir) => existsSync(join(dir, name)))

/** The newest server that the `pg_dump` of this machine understands. */
const dumps = hasProgram('pg_dump')
  ? Number(/\d+/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[0])
  : 0

/** A String at `~/.string`, as the page says; `string` is the built program. */
function home(): Place {
  const place = stringPlace()
  return { ...place, env: { ...place.env, STRING_HOME: join(place.dir, '.string') } }
}

async function shell(place: Place, script: string): Promise<Ran> {
  const program = join(place.dir, 'string.sh')
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${STRING}" "$@"\n`, { mode: 0o755 })
  const text = `set -eu\nstring() { "${program}" "$@"; }\n${script}`
  return run('/bin/bash', ['-c', text], { cwd: place.dir, env: place.env })
}

/** The last command of each is to stop the daemon, so that nothing is left. */
async function succeeds(place: Place, script: string): Promise<string> {
  const { status, stdout, stderr } = await shell(place, `trap 'string --daemon stop >/dev/null' EXIT\n${script}`)
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stderr: '' })
  return stdout
}

const POST = 'curl -sf -d hello "$(string webhook show)" >/dev/null\n'
const SHOW = 'string events --plain\n'

describe('docs/store.md', () => {
  it('shows how a file is backed up and restored', async () => {
    const place = home()
    const [vacuum = '', folder = '', restore = ''] = blocks('Backup and restore', 'sh')
    const lost = 'string --plain "/events.clear --all" >/dev/null\n'
    const shown = await succeeds(place, `${POST}${vacuum}${folder}${lost}${restore}${SHOW}`)
    expect(shown).toContain('It can be used')
    expect(shown).toContain('1 pending')
    expect(existsSync(join(place.dir, 'backup/agents.json'))).toBe(true)
  })

  it('and docs/operating.md how all of it is backed up while it runs, and restored after everything is gone', async () => {
    const place = home()
    const [backup = '', restore = ''] = blocks('Backup and restore', 'sh', 'operating.md')
    const written = `${POST}string agent add bob >/dev/null\nstring --plain '/write ~/notes.md\nkept' >/dev/null\n`
    const again = `sleep 1\n${backup}find ~/string-backup -perm /077 ! -type l\n`
    const gone = 'string stop\nrm -rf ~/.string\n'
    const look = `string agent list\nstring --plain '/open ~/notes.md'\n${SHOW}`
    const shown = await succeeds(place, `${written}${backup}${again}${gone}${restore}${look}`)
    expect(shown).toContain('✓ events: 1 row')
    // Nothing of it is for others.
    expect(shown).not.toMatch(/^\/.*string-backup.*(tgz|db)$/m)
    for (const kept of ['bob', 'kept', '1 pending']) expect(shown).toContain(kept)
  })

  it('shows how any store is copied to a file', async () => {
    const place = home()
    const copy = blocks('Backup and restore', 'sh').at(-1) ?? ''
    expect(await succeeds(place, `${POST}${copy}`)).toContain('Both have the same 1 row')
    expect(existsSync(join(place.dir, 'copy/state.db'))).toBe(true)
  })

  describe.skipIf(!hasPostgres)('with a server', () => {
    const server = postgresServer({ dumps: true })

    it('shows how a String moves to PostgreSQL, and back', async () => {
      for (const statement of blocks('Move to PostgreSQL', 'sql').join('').split(';\n')) {
        if (statement !== '') await server.sql(statement)
      }
      const steps = blocks('Move to PostgreSQL', 'sh').map((block) =>
        block.replaceAll('db.example.com:5432', `127.0.0.1:${server.port}`),
      )
      const [prepare = '', move = '', back = ''] = steps
      expect(move).toContain('string store copy')
      const place = home()
      const shown = await succeeds(place, `${POST}${prepare}${move}${SHOW}${POST}${back}${SHOW}`)
      expect(shown).toContain('LISTEN and prepared statements work')
      expect(shown).toContain(`postgres://string@127.0.0.1:${server.port}/string`)
      expect(shown.match(/Both have the same \d rows?/g)).toEqual([
        'Both have the same 1 row',
        'Both have the same 2 rows',
      ])
      expect(shown).toContain('1 pending')
      expect(shown).toContain('2 pending')
      expect(shown).not.toContain('PASSWORD')
    }, 120_000)

    it('shows how a PostgreSQL is dumped and restored', async (context) => {
      const [version] = await server.sql("SELECT current_setting('server_version_num')::integer / 10000 AS major")
      if (Number(version?.major) > dumps) {
        console.warn(`SKIPPED: no pg_dump for PostgreSQL ${String(version?.major)}`)
        context.skip()
      }
      const [dump = '', restore = ''] = blocks('Backup and restore', 'sh').filter((block) => block.includes('pg_'))
      const [from, to] = [await server.database(), await server.database()]
      const named = (database: string): string => `export STRING_STORE='${server.url(database)}'\n`
      const stop = 'string --daemon stop >/dev/null\n'
      const shown = await succeeds(home(), `${named(from)}${POST}${dump}${stop}${named(to)}${restore}${SHOW}`)
      expect(shown).toContain('The schema string has the present version')
      expect(shown).toContain('1 pending')
    }, 120_000)
  })
})
