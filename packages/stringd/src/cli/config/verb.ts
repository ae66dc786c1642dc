import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nearest, quoted, visibleLine } from '@string-os/protocol'
import { type Config, ownVariable, type Setting, settings, unknownVariables, VARIABLES } from '../../config.ts'
import { envProblems } from '../../doctor/env.ts'
import { limitProblems } from '../../doctor/limits.ts'
import type { Invocation } from '../arguments.ts'
import { runningDaemon } from '../daemon/find-daemon.ts'
import { environmentOf } from '../daemon/port-owner.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { dim } from '../terminal/color.ts'
import { columnsOf } from '../terminal/columns.ts'
import { lookOf, type StreamLook } from '../terminal/look.ts'
import { layTable } from '../terminal/table.ts'

interface Row extends Setting {
  /** The daemon that runs was started with something else. */
  readonly differs: boolean
}

interface FileView {
  readonly path: string
  readonly exists: boolean
  readonly about: string
  /** What is wrong with it, where that is looked at, and what comes of it. */
  readonly problems?: readonly string[]
  readonly outcome?: string
}

/** `string config`: every variable, what holds, and who says so; files that are read; never a password. */
export async function runConfigVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const [, extra] = parseFlags(words, {}).words
  if (extra !== undefined)
    throw usageError(
      `string config takes no ${quoted(extra)}: it only shows all settings. A variable of the environment changes one: STRING_PORT=4000 string restart`,
    )
  const pid = runningDaemon(config)?.pid ?? null
  const known = settings(config)
  const rows = known.map((setting) => ({ ...setting, differs: pid !== null && isOtherFor(pid, setting) }))
  const files = filesOf(config)
  const unknown = unknownVariables()
  if (format === 'json') console.log(JSON.stringify({ variables: rows.map(view), files: files.map(fileView), unknown }))
  else tell(rows, files, lookOf(process.stdout, config))
  for (const { outcome, problems = [] } of format === 'json' ? [] : files)
    for (const text of problems) process.stderr.write(`warning: ${outcome ?? ''}${visibleLine(text)}\n`)
  for (const name of format === 'json' ? [] : unknown) process.stderr.write(`${warning(name)}\n`)
  return EXIT.ok
}

/** Folders are how we found it, so they are the same. */
function isOtherFor(pid: number, { name, isForDaemon }: Setting): boolean {
  if (!isForDaemon || name === 'STRING_HOME' || name === 'STRING_DATA_DIR') return false
  return (environmentOf(pid, name) ?? '') !== ownVariable(name)
}

function view({ name, value, from, differs }: Row): object {
  return { name, value, from, differs }
}

function fileView({ outcome: _, ...file }: FileView): object {
  return file
}

function filesOf({ dataDir }: Config): FileView[] {
  const file = (name: string, about: string, problems: readonly string[] = []): FileView => {
    const path = join(dataDir, name)
    return { path, exists: existsSync(path), about, ...(problems.length === 0 ? {} : { problems }) }
  }
  return [
    { ...file('config.yaml', 'limits of agents', limitProblems(dataDir)), outcome: 'no agent takes a turn: ' },
    file('channels.yaml', 'other channels'),
    file('env', 'variables of shells, agents and channels', envProblems(dataDir)),
    file('daemon.log', 'its log'),
  ]
}

function tell(rows: readonly Row[], files: readonly FileView[], { color, width }: StreamLook): void {
  const cells = rows.map(({ name, value, from, differs }) => [
    name,
    from,
    `${visibleLine(value ?? '(nothing)')}${differs ? '  (the daemon has another: string restart)' : ''}`,
  ])
  const table = layTable(
    ['VARIABLE', 'FROM', 'VALUE'].map((title) => ({ title, most: 60 })),
    cells,
    { width: null },
  )
  const paths = files.map(({ path, exists, about }) => [exists ? 'there' : 'not there', visibleLine(path), about])
  const list = layTable(
    ['', 'FILE', 'FOR'].map((title) => ({ title, most: 200 })),
    paths,
    { width: null },
  )
  const lines = [...cells.map(table.line), '', ...paths.map(list.line)]
  const fits = width === null || lines.every((line) => columnsOf(line) <= width)
  const below = [...cells, ...paths.map(([state = '', path = '', about = '']) => [about, state, path])].map(stacked)
  console.log((fits ? [dim(table.head, color), ...lines] : below).join('\n'))
}

/** Where there is no room for columns: a value is never cut, so it stands below its name. */
function stacked(cells: readonly string[]): string {
  return `${cells.slice(0, -1).join('  ')}\n    ${cells.at(-1) ?? ''}`
}

function warning(name: string): string {
  const close = nearest(
    name,
    VARIABLES.map((variable) => variable.name),
  )
  return `warning: ${visibleLine(name)} is set, but String knows no such variable${close === null ? '' : `; did you mean ${close}?`}`
}
