import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure, fail, listNames, nearest } from '@string-os/protocol'
import { listFolder } from '../../files/files.ts'
import type { Workspace } from '../../files/workspace.ts'
import { realOr } from '../../store/real-path.ts'
import type { Installed } from '../packages.ts'
import { isLocalName } from '../state/package-record.ts'

/** A tool by where it is: installed, put into `<home>/.string/tools` by a person, or in `tools` beside the work. */
export type Tool =
  | { readonly kind: 'installed'; readonly name: string; readonly installed: Installed }
  | { readonly kind: 'own' | 'beside'; readonly name: string; readonly file: string }

export interface ToolPlaces {
  readonly home: string
  readonly workspace: Workspace
  readonly installed: () => readonly Installed[]
}

/** Null where a link stands in its place: a home may have come from elsewhere. */
function ownToolsFolder(home: string): string | null {
  const folder = join(realOr(home), '.string/tools')
  return realOr(folder) === folder ? folder : null
}

/** All tools, each name once: what was installed cannot be replaced by a file that happens to lie somewhere. */
export function findTools({ home, workspace, installed }: ToolPlaces): Tool[] {
  const own = ownToolsFolder(home)
  const all: Tool[] = [
    ...installed()
      .filter(({ record }) => record.type === 'tool')
      .map((each) => ({ kind: 'installed' as const, name: each.record.local, installed: each })),
    ...(own === null ? [] : ownTools(own)),
    ...besides(workspace),
  ]
  return [...new Map(all.toReversed().map((tool) => [tool.name, tool])).values()].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
}

function ownTools(folder: string): Tool[] {
  return markdownIn(namesIn(folder)).map((name) => ({ kind: 'own', name, file: join(folder, `${name}.md`) }))
}

export function findTool(name: string, places: ToolPlaces): { readonly ok: true; readonly tool: Tool } | Failure {
  const tools = findTools(places)
  const found = tools.find((tool) => tool.name === name)
  if (found !== undefined) return { ok: true, tool: found }
  const close = nearest(
    name,
    tools.map((tool) => tool.name),
  )
  const app = places.installed().find(({ record }) => record.local === name)
  const install = '/install --tool SOURCE installs one, /open tool lists them'
  const near = close === null ? install : `Did you mean /tool:${close}?`
  return fail(
    'NOT_FOUND',
    app === undefined ? `No tool is called ${name || '(nothing)'}` : `${name} is an app, not a tool`,
    app === undefined ? near : `/open app:${name} enters it`,
    ...(tools.length === 0 ? [] : [`Tools: ${listNames(tools.map((tool) => tool.name))}`]),
  )
}

function besides(workspace: Workspace): Tool[] {
  const place = workspace.locate(join(workspace.start, 'tools'))
  if (!place.ok || place.stat?.isDirectory() !== true) return []
  const entries = listFolder(place, './tools', false, () => false)
  const names = entries.ok ? entries.items.filter(({ kind }) => kind === 'file').map(({ name }) => name) : []
  return markdownIn(names).map((name) => ({ kind: 'beside', name, file: join(place.path, `${name}.md`) }))
}

function markdownIn(names: readonly string[]): string[] {
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .filter(isLocalName)
}

/** What lies in a folder; nothing where there is none. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    // Most homes have none.
    return []
  }
}
