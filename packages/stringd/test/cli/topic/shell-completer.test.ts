import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../../test/support/temp.ts'
import { type ShellCompleter, shellCompleter } from '../../../src/cli/topic/shell-completer.ts'

interface World {
  readonly dir: string
  readonly shell: ShellCompleter
  /** The line as each item would make it. */
  readonly lines: (text: string) => Promise<string[]>
}

function world(): World {
  const dir = tempDir()
  for (const folder of ['bin', 'home/proj', 'work/sub', 'work/my dir'])
    mkdirSync(join(dir, folder), { recursive: true })
  for (const file of ['bin/frobnicate', 'home/proj/in-home.md', 'work/note one.md', 'work/.hidden', 'work/sub/x.md'])
    writeFileSync(join(dir, file), '')
  writeFileSync(join(dir, 'work/run.sh'), '')
  chmodSync(join(dir, 'work/run.sh'), 0o755)
  symlinkSync('sub', join(dir, 'work/sub-link'))
  writeFileSync(join(dir, 'home/.bashrc'), "alias frolic='ls'\nfrown() { :; }\n")
  const shell = shellCompleter({ PATH: join(dir, 'bin'), PROJECT: join(dir, 'home/proj') }, join(dir, 'home'))
  const lines = async (text: string): Promise<string[]> => {
    const { from, items } = await shell.complete(text, join(dir, 'work'))
    return items.map((item) => text.slice(0, from) + item.text)
  }
  return { dir, shell, lines }
}

describe('Tab in a line for a shell', () => {
  it('completes paths from the folder of the shell, from the root, from home, from above and through variables', async () => {
    const { dir, lines } = world()
    expect(await lines('cat su')).toEqual(['cat sub/', 'cat sub-link/'])
    expect(await lines('cat ./sub/')).toEqual(['cat ./sub/x.md'])
    expect(await lines(`cat ${dir}/work/sub/`)).toEqual([`cat ${dir}/work/sub/x.md`])
    expect(await lines('cat ~')).toEqual(['cat ~/'])
    expect(await lines('cat ~/pr')).toEqual(['cat ~/proj/'])
    expect(await lines('cat ../home/proj/')).toEqual(['cat ../home/proj/in-home.md'])
    expect(await lines('cd ..')).toEqual(['cd ../'])
    expect(await lines('cat $PROJECT/in')).toEqual(['cat $PROJECT/in-home.md'])
    expect(await lines('cat "${PROJECT}/in')).toEqual(['cat "${PROJECT}/in-home.md"'])
    expect(await lines('cat .h')).toEqual(['cat .hidden'])
    expect(await lines('cat --file=sub/')).toEqual(['cat --file=sub/x.md'])
    expect(await lines('echo a >su')).toEqual(['echo a >sub/', 'echo a >sub-link/'])
    expect(await lines('if true; then\ncat sub/')).toEqual(['if true; then\ncat sub/x.md'])
    expect(await lines('cat nowhere/')).toEqual([])
    expect(await lines('cat ~nobody/')).toEqual([])
  })

  it('writes a name so that the shell reads it as one word, in the quotes that are open', async () => {
    const { lines } = world()
    expect(await lines('cat no')).toEqual(['cat note\\ one.md'])
    expect(await lines('cat note\\ o')).toEqual(['cat note\\ one.md'])
    expect(await lines('cat "./no')).toEqual(['cat "./note one.md"'])
    expect(await lines("cat './my")).toEqual(["cat './my dir/"])
    expect(await lines('cat "no')).toEqual(['cat note\\ one.md'])
  })

  it('names programs, builtins, aliases and functions where a command begins, and there alone', async () => {
    const { shell, lines } = world()
    expect(await lines('fro')).toEqual(['frobnicate', 'frolic', 'frown'])
    expect(await lines('true | fro')).toEqual(['true | frobnicate', 'true | frolic', 'true | frown'])
    expect(await lines('A=1 sudo frob')).toEqual(['A=1 sudo frobnicate'])
    expect(await lines('echo $(frob')).toEqual(['echo $(frobnicate'])
    expect(await lines('expor')).toEqual(['export'])
    expect(await lines('cat fro')).toEqual([])
    expect(await lines('')).toEqual([])
    expect(await lines('./r')).toEqual(['./run.sh'])
    expect(await lines('./n')).toEqual([])
    expect(await lines('cd n')).toEqual([])
    shell.learn('alias frost=ls; frozen() { ls; }')
    expect(await lines('fros')).toEqual(['frost'])
    expect(await lines('froz')).toEqual(['frozen'])
  })

  it('names variables of the environment and those that were set since', async () => {
    const { shell, lines } = world()
    expect(await lines('echo $PRO')).toEqual(['echo $PROJECT'])
    expect(await lines('echo "a ${PRO')).toEqual(['echo "a ${PROJECT}'])
    expect(await lines("echo '$PRO")).toEqual([])
    shell.learn('export PRODUCT=/nowhere')
    expect(await lines('echo $PROD')).toEqual(['echo $PRODUCT'])
    shell.learn('PROJECT=elsewhere')
    expect(await lines('cat $PROJECT/in')).toEqual([])
  })

  it('names what a program may be told, from files alone: commands, branches, scripts and targets', async () => {
    const { dir, lines } = world()
    const work = join(dir, 'work')
    for (const folder of ['heads/feature', 'tags', 'remotes/origin'])
      mkdirSync(join(work, '.git/refs', folder), { recursive: true })
    for (const ref of ['heads/main', 'heads/feature/one', 'remotes/origin/HEAD'])
      writeFileSync(join(work, '.git/refs', ref), '')
    writeFileSync(
      join(work, '.git/packed-refs'),
      '# pack-refs with: peeled\nab12 refs/heads/main\nab12 refs/tags/v1\n^cd34\nab12 refs/remotes/origin/dev\n',
    )
    writeFileSync(join(work, 'package.json'), '{"scripts":{"build":"x","test:unit":"y"}}')
    writeFileSync(join(work, 'Makefile'), 'CC := cc\nall: a.o b.o\n\tcc\n.PHONY: all\nclean install:\n\trm\n')
    expect(await lines('git lo')).toEqual(['git log'])
    expect(await lines('git checkout ')).toEqual(
      ['feature/one', 'main', 'origin/dev', 'v1'].map((name) => `git checkout ${name}`),
    )
    expect(await lines('cd x && git switch -q fea')).toEqual(['cd x && git switch -q feature/one'])
    expect(await lines('git checkout feature/')).toEqual(['git checkout feature/one'])
    expect(await lines('git checkout pack')).toEqual(['git checkout package.json'])
    expect(await lines('git checkout ONE')).toEqual(['git checkout note\\ one.md'])
    expect(await lines('git push ')).toEqual(['git push origin'])
    expect(await lines('git push origin m')).toEqual(['git push origin main'])
    expect(await lines('git add no')).toEqual(['git add note\\ one.md'])
    expect(await lines('npm run ')).toEqual(['npm run build', 'npm run test:unit'])
    expect(await lines('npm ru')).toEqual(['npm run'])
    expect(await lines('yarn te')).toEqual(['yarn test:unit'])
    expect(await lines('make ')).toEqual(['make all', 'make clean', 'make install'])
    expect(await lines('make > no')).toEqual(['make > note\\ one.md'])
    // In a worktree the names are those of all.
    mkdirSync(join(work, '.git/worktrees/w'), { recursive: true })
    writeFileSync(join(work, '.git/worktrees/w/commondir'), '../..\n')
    const { shell } = world()
    mkdirSync(join(dir, 'tree'))
    writeFileSync(join(dir, 'tree/.git'), `gitdir: ${work}/.git/worktrees/w\n`)
    const { items } = await shell.complete('git merge ma', join(dir, 'tree'))
    expect(items.map(({ text }) => text)).toEqual(['main'])
  })
})
