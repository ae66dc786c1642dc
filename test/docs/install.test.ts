import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { type Ran, run } from '../support/cli.ts'
import { tempDir } from '../support/temp.ts'
import { blocksOf, root } from './pages.ts'

/** The scripts of a page that say they are run here, with a folder of the test in place of /tmp. */
function scripts(page: string, dir: string): string[] {
  const mine = blocksOf(page).filter(({ mark }) => mark === 'run by test/docs/install.test.ts')
  return mine.map(({ text }) => `set -e\n${text.replaceAll('/tmp', dir)}`)
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The folders of what a package needs, as they are installed here; for other systems there are none. */
function dependencyFolders(folder: string, found = new Set<string>()): Set<string> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const places = [join(folder, 'node_modules', name), join(root, 'node_modules', name)]
    const place = places.find((each) => existsSync(join(each, 'package.json')))
    if (place === undefined || found.has(place)) continue
    found.add(place)
    dependencyFolders(place, found)
  }
  return found
}

interface Machine {
  readonly dir: string
  readonly sh: (script: string, cwd?: string) => Promise<Ran>
}

/**
 * A machine where nothing is installed: an empty home, a prefix of its own. Its npm is the real one without a network, which finds
 * third packages in files that were packed from this project's own installation.
 */
async function freshMachine(): Promise<Machine> {
  const dir = tempDir()
  const [bin, home, cache] = ['bin', 'home', 'third'].map((name) => join(dir, name)) as [string, string, string]
  for (const folder of [bin, home, cache]) mkdirSync(folder)
  const third = [...dependencyFolders(join(root, 'packages/stringd'))]
  const packed = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', cache, ...third])
  expect(packed.status, packed.stderr).toBe(0)
  const offline = `--offline --ignore-scripts --no-audit --no-fund --loglevel=error --cache ${dir}/cache`
  const real = (await run('/bin/sh', ['-c', 'command -v npm'])).stdout.trim()
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh
case "$*" in
  install*string-os-string*) shift; exec "${real}" install ${offline} "$@" ${cache}/*.tgz;;
  install*) shift; exec "${real}" install ${offline} "$@";;
  *) exec "${real}" --loglevel=error "$@";;
esac
`,
    { mode: 0o755 },
  )
  const env = {
    ...process.env,
    PATH: `${bin}:${dir}/prefix/bin:${process.env.PATH}`,
    HOME: home,
    npm_config_prefix: join(dir, 'prefix'),
    STRING_HOME: undefined,
    STRING_DATA_DIR: undefined,
    STRING_PORT: '0',
  }
  const sh: Machine['sh'] = (script, cwd = root) => run('/bin/bash', ['-c', script], { cwd, env })
  onTestFinished(async () => {
    await sh('string --daemon stop')
  })
  return { dir, sh }
}

/** The life of one machine, since packing and installing take seconds each. */
it('string is installed from a clone and from packages, used by programs, and goes away again', async () => {
  const machine = await freshMachine()
  const [link = '', pack = '', packages = '', packAgain, library = '', remove = ''] = scripts(
    'docs/install.md',
    machine.dir,
  )
  expect(packAgain).toBe(pack)
  // One recipe for the library, wherever it is told.
  for (const page of ['docs/client.md', 'packages/client/README.md', 'examples/node/README.md'])
    expect(scripts(page, machine.dir), page).toEqual([pack, library])
  await runsFromClone(machine, link)
  await runsWithoutRoot(machine)
  await runsFromPackages(machine, `${pack}\n${packages}`)
  await startsFromProgram(machine, library)
  await runsExample(machine, library)
  await isRemoved(machine, remove)
}, 120_000)

async function runsFromClone({ dir, sh }: Machine, script: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/stringd/package.json'), 'utf8')) as {
    version: string
  }
  const linked = await sh(script)
  expect(linked.stdout.endsWith(`${version}\n`), linked.stdout + linked.stderr).toBe(true)
  expect((await sh('string --plain /close', dir)).stdout).toBe('Closed: main\n')
  await sh('string --daemon stop')
}

/** Into the home of a user, as both pages say for who may not write where npm installs. */
async function runsWithoutRoot({ dir, sh }: Machine): Promise<void> {
  const [install, ...others] = ['docs/install.md', 'README.md'].map(
    (page) => /`(npm install -g --prefix [^`]*)`/.exec(readFileSync(join(root, page), 'utf8'))?.[1],
  )
  expect(others).toEqual([install])
  const installed = await sh(install ?? '')
  expect(installed, installed.stderr).toMatchObject({ status: 0 })
  const path = 'export PATH=~/.local/bin:$PATH'
  expect((await sh(`${path}; command -v string`)).stdout).toContain(`${dir}/home/.local/bin/string\n`)
  expect(existsSync(join(dir, 'home/.local/share/man/man1/string.1'))).toBe(true)
  const removed = await sh('npm uninstall -g --prefix ~/.local @string-os/string')
  expect(removed, removed.stderr).toMatchObject({ status: 0 })
  expect(existsSync(join(dir, 'home/.local/bin/string'))).toBe(false)
}

async function runsFromPackages({ dir, sh }: Machine, script: string): Promise<void> {
  const installed = await sh(script)
  expect(installed, installed.stderr).toMatchObject({ status: 0 })
  expect(installed.stdout).toMatch(/<𝒞=string:main>\nexit: 0 \| cwd: .*\n---\nit works\n<\/𝒞>\n$/)
  expect(lstatSync(join(dir, 'prefix/lib/node_modules/@string-os/string')).isSymbolicLink()).toBe(false)
  writeFileSync(join(dir, 'hello.md'), '# Hi\n')
  const opened = await sh("string main '/open ./hello.md'", dir)
  expect(opened.stdout).toBe('<𝒞=string:main>\nOpened ./hello.md\n---\n# Hi\n\n</𝒞>\n')
  expect(existsSync(join(dir, 'home/.string/daemon/daemon.json'))).toBe(true)
}

async function startsFromProgram({ dir, sh }: Machine, script: string): Promise<void> {
  const project = join(dir, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  const added = await sh(script, project)
  expect(added, added.stderr).toMatchObject({ status: 0 })
  const program = `import { StringClient } from '@string-os/client'
import { autoStart } from '@string-os/string'
console.log((await new StringClient({ autoStart }).exec('other', '/close')).content)`
  writeFileSync(join(project, 'use.mjs'), program)
  expect((await sh('string --daemon stop && node use.mjs', project)).stdout).toContain('Closed: other\n')
  writeFileSync(join(project, 'use.cjs'), "console.log(typeof require('@string-os/client').StringClient)")
  expect((await sh('node use.cjs', project)).stdout).toBe('function\n')
  writeFileSync(join(project, 'use.mjs'), program.replace('@string-os/string', '@string-os/client/start'))
  expect((await sh('string --daemon stop && node use.mjs', project)).stdout).toContain('Closed: other\n')
}

async function runsExample({ dir, sh }: Machine, script: string): Promise<void> {
  const profile = writeAgent(dir, `echo 'AGENT_PARTIAL:"Well, "'; echo "you said $AGENT_MESSAGE"`)
  await sh(`string agent add helper --profile ${profile}`)
  const { port } = JSON.parse(readFileSync(join(dir, 'home/.string/daemon/daemon.json'), 'utf8')) as { port: number }
  const ran = await sh(
    `export STRING_PORT=${port}\ncp -r examples/node ${dir}/tour; cd ${dir}/tour\n${script}\nnode tour.mjs`,
  )
  const [shown] = blocksOf('examples/node/README.md').filter(({ language }) => language === 'text')
  expect(ran.stdout.slice(ran.stdout.indexOf('true two')), ran.stdout + ran.stderr).toBe(shown?.text)
  const asked = await sh(`STRING_PORT=${port} node tour.mjs helper | tail -2`, join(dir, 'tour'))
  expect(asked.stdout).toBe('partial: Well, \nreply: you said hello\n')
}

async function isRemoved({ dir, sh }: Machine, script: string): Promise<void> {
  const removed = await sh(script)
  expect(removed, removed.stderr).toMatchObject({ status: 0 })
  expect(existsSync(join(dir, 'prefix/bin/string'))).toBe(false)
  expect(existsSync(join(dir, 'home/.string'))).toBe(false)
}
