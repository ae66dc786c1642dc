import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentMeta, Topic } from '@string-os/protocol'
import { homeFolder } from '../../config.ts'
import { fitText, widthOf } from '../terminal/cells.ts'
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
  /** Up to where it had printed when it was asked. */
  readonly place: string
  /** The command that runs. */
  readonly running: string | null
  /** What runs has the whole screen. */
  readonly hasScreen: boolean
  /** What has ended while nobody was here. */
  readonly ended: ShownEnd | null
  /** What ended last, whoever was told. */
  readonly last: ShownEnd | null
}

export interface ShownEnd {
  readonly command: string
  readonly exit: number
}

/** Where whoever types is. */
export interface Whereabouts {
  readonly cwd: string
  /** Where a shell starts, if there is none. */
  readonly shellStart: string
  /** What a program that runs has printed last, and not ended: what is typed stands behind it. */
  readonly line: { readonly text: string } | null
  /** What `~` is in commands: the agent's home; null where that could not be learned. */
  readonly home: string | null
}

/** A place takes no more, and of a narrow window no more than half: the rest is for what is typed. */
const PLACE_COLUMNS = 40
const LEAST_PLACE_COLUMNS = 12

/** `main /srv/site> `, `main README.md#install 2/3> `, `app:notes string.md> `, `bash:dev /srv/site/src$ ` */
export function promptOf(
  { topic, document, shell }: TopicView,
  where: Whereabouts,
  columns = process.stdout.columns || 80,
): Line {
  const room = Math.max(LEAST_PLACE_COLUMNS, Math.min(PLACE_COLUMNS, Math.floor(columns / 2)))
  if (shell?.running != null && where.line !== null) return [{ text: where.line.text }]
  const place = topic.type === 'bash' ? shellPlace(shell, where) : documentPlace(document, where)
  const mark = topic.type === 'bash' && shell?.running == null ? '$ ' : '> '
  return [
    { text: topic.canonical, styles: ['bold'] },
    ...(place === '' ? [] : [{ text: ` ${fitPlace(place, room)}`, styles: ['cyan'] as const }]),
    { text: mark },
  ]
}

function shellPlace(shell: TopicView['shell'], where: Whereabouts): string {
  return shell?.running == null ? shownFolder(shell?.cwd ?? where.shellStart, where) : 'running'
}

/** The folder of a shell. Its own `~` is the person's home and that of `//open ~` the agent's: only what is both is shown so. */
export function shownFolder(path: string, { home }: Pick<Whereabouts, 'home'>): string {
  return inHome(path, home === homeFolder() ? home : null)
}

function documentPlace(document: DocumentMeta | null, where: Whereabouts): string {
  if (document === null) return inHome(where.cwd, where.home)
  const { uri, current_block, app_path, page = 1, pages = 1 } = document
  return `${app_path ?? shownUri(uri, where)}${current_block ?? ''}${pages > 1 ? ` ${page}/${pages}` : ''}`
}

/** Where a document was open, and what is typed to be there again. */
export function openingOf(document: DocumentMeta, where: Whereabouts): { place: string; command: string } {
  const { uri, current_block, app_path, page = 1 } = document
  const path = app_path ?? (uri.startsWith('file://') ? shownPath(pathOf(uri), where) : null)
  const name = path ?? uri.replace(/^string:\/\//, '')
  const target = `${name}${current_block ?? ''}`
  const command = `/open ${/[\s'"\\]/.test(target) ? JSON.stringify(target) : target}${page > 1 ? ` --page ${page}` : ''}`
  return { place: documentPlace(document, where), command }
}

function shownUri(uri: string, where: Whereabouts): string {
  if (uri.startsWith('file://')) return shownPath(pathOf(uri), where)
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
function shownPath(path: string, { cwd, home }: Whereabouts): string {
  return pathBelow(cwd, path) || inHome(path, home)
}

function inHome(path: string, home: string | null): string {
  const below = home === null ? null : pathBelow(home, path)
  return below === null ? path : below === '' ? '~' : `~/${below}`
}

function pathBelow(folder: string, path: string): string | null {
  const way = relative(folder, path)
  return way === '..' || way.startsWith('../') || isAbsolute(way) ? null : way
}

/** Of a long path the end tells most. */
function fitPlace(place: string, room: number): string {
  if (widthOf(place) <= room || !/^[~/]/.test(place)) return fitText(place, room)
  const parts = place.split('/')
  while (parts.length > 1 && widthOf(`…/${parts.join('/')}`) > room) parts.shift()
  return fitText(`…/${parts.join('/')}`, room)
}
