import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentMeta, Topic } from '@string-os/protocol'
import { homeFolder } from '../../config.ts'
import { fitText } from '../terminal/cells.ts'
import type { Line } from '../terminal/styled-text.ts'

/** How a topic stands when something is to be typed into it. */
export interface TopicView {
  readonly topic: Topic
  readonly document: DocumentMeta | null
  /** Of its shell, where it has one. */
  readonly shell: ShellStanding | null
}

export interface ShellStanding {
  /** Which shell it is: one that takes its place has another. */
  readonly id: string
  readonly cwd: string
  /** The command that runs. */
  readonly running: string | null
  /** What runs has the whole screen. */
  readonly hasScreen: boolean
}

const PLACE_COLUMNS = 40

/** `main ~/src> `, `main README.md#install 2/3> `, `bash:dev ~/src$ ` */
export function promptOf({ topic, document, shell }: TopicView, cwd: string): Line {
  const place = topic.type === 'bash' ? shellPlace(shell, cwd) : documentPlace(document, cwd)
  const mark = topic.type === 'bash' && shell?.running == null ? '$ ' : '> '
  return [
    { text: topic.canonical, styles: ['bold'] },
    ...(place === '' ? [] : [{ text: ` ${fitText(place, PLACE_COLUMNS)}`, styles: ['cyan'] as const }]),
    { text: mark },
  ]
}

function shellPlace(shell: TopicView['shell'], cwd: string): string {
  // The first command starts one where its person is.
  if (shell === null) return shownHome(cwd, homeFolder())
  return shell.running === null ? shownPlace(shell.cwd, cwd) : 'running'
}

function documentPlace(document: DocumentMeta | null, cwd: string): string {
  if (document === null) return shownHome(cwd, homeFolder())
  const { uri, current_block, page = 1, pages = 1 } = document
  return `${shownUri(uri, cwd)}${current_block ?? ''}${pages > 1 ? ` ${page}/${pages}` : ''}`
}

/** Where a document was open, and what is typed to be there again. */
export function openingOf(document: DocumentMeta, cwd: string): { readonly place: string; readonly command: string } {
  const { uri, current_block, page = 1 } = document
  const name = uri.startsWith('file://') ? shownPlace(pathOf(uri), cwd) : uri.replace(/^string:\/\//, '')
  const target = `${name}${current_block ?? ''}`
  const command = `/open ${/[\s'"\\]/.test(target) ? JSON.stringify(target) : target}${page > 1 ? ` --page ${page}` : ''}`
  return { place: documentPlace(document, cwd), command }
}

function shownUri(uri: string, cwd: string): string {
  if (uri.startsWith('file://')) return shownPlace(pathOf(uri), cwd)
  return uri.replace(/^(?:string|https?):\/\//, '')
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri)
  } catch {
    // Whatever it is, it is only shown.
    return uri
  }
}

/** As it would be typed from here. */
export function shownPlace(path: string, cwd: string): string {
  const home = homeFolder()
  const below = pathBelow(cwd, path)
  if (below !== null) return below === '' ? shownHome(path, home) : below
  return shownHome(path, home)
}

function shownHome(path: string, home: string): string {
  const below = pathBelow(home, path)
  return below === null ? path : below === '' ? '~' : `~/${below}`
}

function pathBelow(folder: string, path: string): string | null {
  const way = relative(folder, path)
  return way.startsWith('..') || isAbsolute(way) ? null : way
}
