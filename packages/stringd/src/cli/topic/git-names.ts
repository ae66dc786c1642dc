import { readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { nearestAbove, textNear } from './near-files.ts'

/** What a repository calls its commits, and where it gets others from. */
export interface GitNames {
  /** Branches, then those of others, then tags. */
  readonly refs: readonly string[]
  readonly remotes: readonly string[]
}

const KINDS = ['heads', 'remotes', 'tags'] as const

/** Read from the files of the repository: no program is run. */
export async function gitNames(cwd: string): Promise<GitNames> {
  const folder = await commonFolder(cwd)
  if (folder === null) return { refs: [], remotes: [] }
  const packed = await textNear(join(folder, 'packed-refs'))
  const all = [...packed.matchAll(/^[\da-f]+ refs\/(\S+)$/gm)].map(([, name = '']) => name)
  const named = await Promise.all(
    KINDS.map(async (kind) => {
      const begin = `${kind}/`
      const old = all.filter((name) => name.startsWith(begin)).map((name) => name.slice(begin.length))
      const names = [...new Set([...(await filesBelow(join(folder, 'refs', kind))), ...old])].sort()
      return kind === 'remotes' ? names.filter((name) => !name.endsWith('/HEAD')) : names
    }),
  )
  const remotes = new Set((named[1] ?? []).map((name) => name.split('/', 1)[0] ?? ''))
  return { refs: [...new Set(named.flat())], remotes: [...remotes] }
}

/** Where branches are kept: a worktree has its own folder, and names that of all. */
async function commonFolder(cwd: string): Promise<string | null> {
  const found = await nearestAbove(cwd, '.git')
  if (found === null) return null
  const [, told = ''] = /^gitdir: (.+)$/m.exec(await textNear(found)) ?? []
  const own = told === '' ? found : resolve(dirname(found), told)
  const common = (await textNear(join(own, 'commondir'))).trim()
  return common === '' ? own : resolve(own, common)
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}
