import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StringClient } from '@string-os/client'
import { describe, expect, it } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { type Place, run, STRING, stringPlace } from '../support/cli.ts'

const STRG = join(STRING, '../strg.cjs')

/** `string` and `strg` on the PATH, as an installation puts them there. */
function installed(place: Place): NodeJS.ProcessEnv {
  const bin = join(place.dir, 'bin')
  mkdirSync(bin)
  symlinkSync(STRING, join(bin, 'string'))
  symlinkSync(STRG, join(bin, 'strg'))
  return { ...place.env, PATH: `${bin}:${process.env.PATH}` }
}

function hasShell(name: string): boolean {
  const found = spawnSync(name, ['-c', 'exit 0']).status === 0
  if (!found) process.stderr.write(`SKIPPED: there is no ${name} here, so its completion is not tried\n`)
  return found
}

async function place(): Promise<{ place: Place; env: NodeJS.ProcessEnv }> {
  const made = stringPlace()
  writeFileSync(join(made.dir, 'profile.yaml'), '')
  writeFileSync(join(made.dir, 'package.json'), '{ "scripts": { "lint": "true", "pack": "true" } }')
  mkdirSync(join(made.dir, 'folder'))
  await made.string(['agent', 'add', 'bobby'])
  await made.string(['notes', '/info'])
  writeFileSync(join(made.dir, 'tess'), 'command: ["cat"]\n')
  await made.string(['agent', 'add', 'tess', '--profile', 'tess'])
  await made.string(['bash:build', 'true'])
  return { place: made, env: installed(made) }
}

/** What readline would offer for a line with the cursor at its end, word by word as bash splits it. */
const BASH = `
source <(string completion bash)
while IFS= read -r COMP_LINE; do
  COMP_POINT=\${#COMP_LINE}
  COMP_WORDS=()
  rest=$COMP_LINE
  while [[ -n $rest ]]; do
    if [[ $rest =~ ^[[:space:]]+ ]]; then rest=\${rest#"\${BASH_REMATCH[0]}"}; [[ -z $rest ]] && COMP_WORDS+=(''); continue; fi
    [[ $rest =~ ^([:=]+|[\\'\\"].*|[^[:space:]:=]+) ]]
    COMP_WORDS+=("\${BASH_REMATCH[0]}")
    rest=\${rest#"\${BASH_REMATCH[0]}"}
  done
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _string
  (IFS='|'; echo "\${COMPREPLY[*]}")
done
`

describe('completion in bash', () => {
  it('offers verbs, subverbs, flags, agents, topics, commands and files, for both names', async () => {
    const { place: made, env } = await place()
    const offers = await offered(env, made.dir, [
      ['string sta', 'status|start'],
      ['strg sta', 'status|start'],
      ['string agent re', 'remove|resume'],
      ['string agent show b', 'bobby'],
      ['string --agent bo', 'bobby'],
      ['string --agent=bo', 'bobby'],
      ['string turns --fa', '--failed'],
      ['string usage --by ', 'agent|session|day'],
      ['string no', 'notes'],
      ['string stop bash:b', 'build'],
      ['string stop bash:', 'build'],
      ['string notes /ope', '/open'],
      ["string notes '/ope", '/open'],
      ["string notes '/open pro", '/open profile.yaml'],
      ['string "/open ./fo', '/open ./folder/'],
      ['string chat ', 'tess'],
      ['string notes /open ./fo', './folder/'],
      ['string /unin', '/uninstall'],
      ['string bridge check pro', 'profile.yaml'],
      ['string bridge init fo', 'folder'],
      ['string --daemon rest', 'restart'],
      ['string help agent ad', 'add'],
      ['string mcp-config claude-c', 'claude-code'],
      ['string completion z', 'zsh'],
      ['string --agent nobody notes /ope', ''],
      ['string bridge run -m --pro', ''],
      ['string bash:build git --js', ''],
      ['string bash:build git che', 'checkout|cherry-pick'],
      ["string bash:build 'git che", 'git checkout|git cherry-pick'],
      ['string bash:build npm run ', 'lint|pack'],
      ['string bash:none npm run ', 'lint|pack'],
      ['string bash:build ls pro', 'profile.yaml'],
      ['string agent allow bobby fo', 'folder'],
      ['string agent allow bobby folder fo', 'folder'],
      ['string agent show bobby ', ''],
      ['string turns bobby ', ''],
      ['string mcp-config codex ', ''],
      ['string stop notes ', ''],
      ['string bridge check profile.yaml pro', ''],
      ['string store copy env en', 'env'],
      ['string store copy env env en', ''],
      ['string events re', 'read|retry'],
      ['string events bo', 'bobby'],
      ['string events bobby re', ''],
      ['string bash:build --js', '--json'],
      ['string bash:build -- --js', ''],
      ['string -- notes /ope', '/open'],
      ['string xyz', ''],
    ])
    expect(offers.got).toEqual(offers.wanted)
    const ids = JSON.parse((await made.string(['agent', 'list', '--json'])).stdout) as { id: string }[]
    expect(ids.map(({ id }) => id)).not.toContain('nobody')
  })

  it('offers no flag that is refused there', async () => {
    const made = stringPlace()
    const flags = async (...words: string[]): Promise<string[]> =>
      (await made.string(['__complete', '--', ...words, '--'])).stdout.match(/^--[\w-]+/gm) ?? []
    const all = await flags()
    const ofCommands = ['--topic', '--create', '--cwd', '--wait', '--no-pager', '--version']
    expect(all).toEqual(expect.arrayContaining(ofCommands))
    const shared = ['--agent', '--port', '--json', '--plain', '--help']
    expect(await flags('turns')).toEqual([
      ...'failed state since session limit follow'.split(' ').map((name) => `--${name}`),
      ...shared,
    ])
    expect(await flags('events', 'ack')).toEqual(['--all', '--follow', ...shared])
    expect(await flags('mcp')).toEqual(['--agent', '--create', '--cwd', '--port', '--help'])
    expect(await flags('store', 'backup')).toEqual(['--json', '--help'])
    const behindTopic = ['--agent', '--create', '--cwd', '--port', '--json', '--plain', '--no-pager', '--help']
    expect(await flags('notes')).toEqual(behindTopic)
    expect((await flags('bash:build')).toSorted()).toEqual([...behindTopic, '--wait'].toSorted())
    // All that are offered behind a verb are known to it.
    for (const verb of ['turns', 'approvals'])
      for (const flag of await flags(verb)) {
        const { stderr } = await made.string([verb, flag, ...(flag === '--help' ? [] : ['--no-such-flag'])])
        expect(stderr, `${verb} ${flag}`).not.toMatch(/cannot be used here|--wait is for|stands in the middle/)
      }
  })

  it('starts no daemon, and offers then what needs none', async () => {
    const made = stringPlace()
    const env = installed(made)
    const offers = await offered(env, made.dir, [
      ['string bash:x git che', 'checkout|cherry-pick'],
      ['string statu', 'status'],
      ['string agent show b', ''],
      ['string notes /ope', ''],
    ])
    expect(offers.got).toEqual(offers.wanted)
    expect(made.daemonPid()).toBeNull()
  })
})

async function offered(
  env: NodeJS.ProcessEnv,
  cwd: string,
  rows: readonly (readonly [string, string])[],
): Promise<{ got: readonly string[]; wanted: readonly string[] }> {
  const input = `${rows.map(([line]) => line).join('\n')}\n`
  const { stdout, stderr } = await run('bash', ['--norc', '-c', BASH], { env, cwd, input })
  expect(stderr).toBe('')
  const lines = stdout.trimEnd().split('\n')
  return {
    got: rows.map(([line], at) => `${line} → ${lines[at] ?? ''}`),
    wanted: rows.map(([line, words]) => `${line} → ${words}`),
  }
}

describe('the scripts of completion', () => {
  it.skipIf(!hasShell('zsh'))('is there in a zsh that nobody has set up, by one line of ~/.zshrc', async () => {
    const { place: made, env } = await place()
    writeFileSync(join(made.dir, '.zshrc'), 'eval "$(string completion zsh)"\n')
    const { stdout, stderr } = await run('zsh', ['-i', '-c', 'echo $_comps[string] $_comps[strg]'], { env })
    expect(stdout.trim(), stderr).toBe('_string _string')
  })

  it('offers the turns that can be run again, or ended, and what --since takes', async () => {
    const made = stringPlace()
    const script = 'case "$AGENT_MESSAGE" in fail) exit 3 ;; wait) sleep 300 ;; esac; echo fine'
    await made.string(['agent', 'add', 'bot', '--profile', writeAgent(made.dir, script)])
    const client = new StringClient({ port: made.daemonPort(), agent: 'bot' })
    for (const message of ['good', 'fail']) for await (const _ of client.turn(message));
    const leave = new AbortController()
    for await (const { type } of client.turn('wait', { signal: leave.signal })) if (type === 'start') break
    const offered = async (...words: string[]): Promise<string[]> =>
      (await made.string(['__complete', '--', ...words])).stdout
        .split('\n')
        .flatMap((line) => line.split('\t')[1] ?? [])
    expect(await offered('turn', 'show', '')).toEqual(['bot, running', 'bot, failed', 'bot, done'])
    expect(await offered('turn', 'retry', '')).toEqual(['bot, failed'])
    expect(await offered('turn', 'cancel', '')).toEqual(['bot, running'])
    expect((await made.string(['__complete', '--', 'logs', '--since', 'y'])).stdout).toBe('yesterday\t\n')
    for (const words of [
      ['chat', 'bot'],
      ['turns', 'bot'],
      ['turns'],
      ['turns', '--agent', 'bot'],
      ['chat', '--agent', 'bot'],
    ])
      expect((await made.string(['__complete', '--', ...words, '--session', ''])).stdout, words.join(' ')).toBe(
        'default\tbot\n',
      )
    const node = (await client.fleet.nodes()).node
    expect((await made.string(['__complete', '--', 'fleet', 'move', 'bot', ''])).stdout).toBe(`${node}\tup\n`)
  })

  it('offers the events that can be read, or wait to be acknowledged, of all agents', async () => {
    const made = stringPlace()
    const ids: string[] = []
    for (const agent of ['ann', 'bob']) {
      await made.string(['agent', 'add', agent])
      const url = (await made.string(['webhook', 'show', agent])).stdout.trim()
      const { event_id } = (await (await fetch(url, { method: 'POST', body: 'news' })).json()) as { event_id: string }
      ids.push(event_id)
    }
    const [first = '', second = ''] = ids
    const short = (id: string): string => id.slice(-8)
    const offered = async (...words: string[]): Promise<string[]> =>
      (await made.string(['__complete', '--', 'events', ...words])).stdout.match(/^[^\t\n]+/gm) ?? []
    expect(await offered('read', '')).toEqual([short(second), short(first)])
    expect(await offered('show', '')).toEqual([short(second), short(first)])
    expect(await offered('read', 'evt_')).toEqual([second, first])
    expect(await offered('read', short(first), '')).toEqual([])
    expect(await offered('ack', short(first), '')).toEqual([short(second)])
    expect((await made.string(['events', 'ack', short(first)])).status).toBe(0)
    expect(await offered('ack', '')).toEqual([short(second)])
    expect(await offered('retry', '')).toEqual([short(second), short(first)])
  })

  it.skipIf(!hasShell('zsh'))('are read by zsh without a complaint', async () => {
    const env = installed(stringPlace())
    const script =
      'autoload -U compinit; compinit -u -D; source <(string completion zsh); whence -w _string; echo $_comps[strg]'
    expect(await run('zsh', ['-f', '-c', script], { env })).toEqual({
      status: 0,
      stdout: '_string: function\n_string\n',
      stderr: '',
    })
  })

  it.skipIf(!hasShell('fish'))('offer in fish what string would, for strg', async () => {
    const env = installed(stringPlace())
    const script = "command string completion fish | source; complete -C 'strg sta'"
    const { stdout } = await run('fish', ['--no-config', '-c', script], { env })
    expect(stdout).toMatch(/^status\t.*\nstart\t/)
  })

  it.each([[['completion']], [['completion', 'bsh']], [['completion', 'bash', 'x']]])(
    '%j is a mistake',
    async (args) => {
      const { status, stdout, stderr } = await stringPlace().string(args)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).toMatch(/bash|Too many/)
    },
  )

  it('knows the names of what is installed', async () => {
    const { place: made } = await place()
    writeFileSync(join(made.dir, 'lamp.md'), '# Lamp\n')
    await made.string(['app', 'install', './lamp.md'])
    for (const verb of ['show', 'update', 'remove'])
      expect((await made.string(['__complete', '--', 'app', verb, 'l'])).stdout, verb).toBe('lamp\tapp\n')
  })
})
