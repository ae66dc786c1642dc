import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandData, StringClient } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { run, stringPlace } from '../support/cli.ts'
import { blocksOf, root } from './pages.ts'

/** What a project of somebody else would say: as strict as the compiler can be, and the types of the packages as they are published. */
const STRICT =
  '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitReturns --module nodenext --target es2023 --lib es2023 --types node --ignoreConfig'.split(
    ' ',
  )

/** Compiles sources in a folder in which the packages of this project are found by their names. */
async function compile(sources: Readonly<Record<string, string>>): Promise<{ folder: string; said: string }> {
  const folder = join(root, 'node_modules/.cache', `typescript-${process.pid}-${Object.keys(sources)[0]}`)
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
  const args = [join(root, 'node_modules/.bin/tsc'), ...STRICT, '--rootDir', folder, ...Object.keys(sources)]
  const { stdout } = await run(process.execPath, args, { cwd: folder })
  return { folder, said: stdout }
}

describe('strict TypeScript', () => {
  it('takes the programs of docs/client.md and of the package, and the types of a wrong one say so', async () => {
    const pieces = (page: string): string =>
      blocksOf(page)
        .filter(({ language }) => language === 'js' || language === 'ts')
        .map(({ text }) => text)
        .join('\n')
    const { said } = await compile({
      'page.mts': pieces('docs/client.md'),
      'readme.mts': pieces('packages/client/README.md'),
    })
    expect(said).toBe('')
    const wrong = await compile({
      'wrong.mts': `import { StringClient } from '@string-os/client'
const client = new StringClient()
const { data } = await client.exec('main', '/ls .')
const text: string = data?.total ?? ''
client.turn('x', { sesion: 'y' })
const { data: any } = await client.exec('main', \`/\${text}\`)
const fields: number | null = any?.total
`,
    })
    expect(wrong.said.match(/^wrong\.mts\((\d),.*?: error/gm)?.map((line) => line[10])).toEqual(['4', '5', '7'])
  })

  it('compiles examples/node/typed.mts, which says what examples/node shows', async () => {
    const place = stringPlace()
    const profile = writeAgent(place.dir, `echo 'AGENT_PARTIAL:"Well, "'; echo "you said $AGENT_MESSAGE"`)
    await place.string(['agent', 'add', 'helper', '--profile', profile])
    const { folder, said } = await compile({
      'typed.mts': readFileSync(join(root, 'examples/node/typed.mts'), 'utf8'),
    })
    expect(said).toBe('')
    const env = { ...place.env, STRING_PORT: String(place.daemonPort()) }
    const ran = await run(process.execPath, ['typed.mjs', 'helper'], { cwd: folder, env })
    expect(ran.stdout + ran.stderr).toBe('true true\nEXIT_3 3\nLimits\npartial: Well, \nreply: you said hello\n')
  })
})

type Fields<Name extends keyof CommandData> = readonly [
  string,
  string,
  { readonly [Field in keyof CommandData[Name]]: true },
]

const change = { path: true, added: true, removed: true } as const
const shell = { exit: true, cwd: true, running: true, output: true } as const
const events = { pending: true, acked: true, events: true } as const

/** Of each command one call, in a topic, and the fields that its type has: all of them, or this does not compile. */
const CALLS: { readonly [Name in keyof CommandData]: Fields<Name> } = {
  '/exec': ['main', '/exec true', shell],
  '/write': ['main', '/write ~/a.md\n# A\ntext', change],
  '/append': ['main', '/append ~/a.md\nmore', change],
  '/replace': ['main', '/replace ~/a.md:L2\nother', change],
  '/undo': ['main', '/undo', change],
  '/ls': ['main', '/ls ~', { path: true, total: true, entries: true }],
  '/find': ['main', '/find more ~', { path: true, pattern: true, searched: true, complete: true, matches: true }],
  '/open': ['main', '/open ~/a.md --outline', { path: true, left: true, parts: true }],
  '/topics': ['main', '/topics', { topics: true }],
  '//send': ['bash:a', '//send true', shell],
  '//key': ['bash:a', '//key enter', shell],
  '//wait': ['bash:a', '//wait 1', shell],
  // Of the second command that was typed before it.
  '//interrupt': ['bash:a', '//interrupt', { ...shell, unread: true }],
  '//info': [
    'bash:a',
    '//info',
    { shell: true, cwd: true, running: true, command: true, seconds: true, place: true, ended: true, last: true },
  ],
  '/events': ['main', '/events', events],
  '/events.wait': ['main', '/events.wait 1', events],
  '/events.read': ['main', '/events.read ID', { id: true, received_at: true, source: true, status: true, text: true }],
  '/events.ack': ['main', '/events.ack ID', { acked: true }],
  '/events.clear': ['main', '/events.clear', { cleared: true }],
}

it('what the types of the client say of the fields of commands is what the daemon answers', async () => {
  const place = stringPlace()
  const url = (await place.string(['webhook', 'show'])).stdout.trim()
  const posted = (await (await fetch(url, { method: 'POST', body: 'hello' })).json()) as { event_id: string }
  const client = new StringClient({ port: place.daemonPort() })
  await client.exec('bash:a', 'read line', { waitMs: 300 })
  for (const [topic, cmd, fields] of Object.values(CALLS)) {
    if (cmd === '//wait 1' || cmd === '//interrupt') await client.exec('bash:a', 'sleep 20', { waitMs: 500 })
    const { data, content } = await client.exec(topic, cmd.replace('ID', posted.event_id))
    expect(Object.keys(data ?? {}).toSorted(), `${cmd}: ${content}`).toEqual(Object.keys(fields).toSorted())
  }
})
