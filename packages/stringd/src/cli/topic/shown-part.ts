import type { ExecResult } from '@string-os/client'
import { isFields } from '@string-os/protocol'
import type { Drawing, OpenPart } from '../terminal/editor/stage.ts'
import { fitStyled, visibleStyled } from '../terminal/program-styles.ts'
import type { Line } from '../terminal/styled-text.ts'

/** What a program has drawn, from where it was read last. */
export interface ShownPart {
  /** Rows that stay as they are, and those that may still change. */
  readonly above: readonly string[]
  readonly open: readonly string[]
  /** How many of all of them are shown already, as they were. */
  readonly shown: number
  /** Of the cursor, among those that may change. */
  readonly row: number
  readonly column: number
  readonly isOver: boolean
  readonly place: string
  /** Before the row of the cursor. */
  readonly line: string
  readonly end: string
}

export function shownPart({ data }: ExecResult): ShownPart | null {
  const drawn = data?.drawn
  if (!isFields(drawn) || !Array.isArray(drawn.lines)) return null
  const { place, line, end } = drawn
  if (typeof place !== 'string' || typeof line !== 'string' || typeof end !== 'string') return null
  const all = drawn.lines.filter((each) => typeof each === 'string')
  const [row = 0, column = 0, shown = 0, open = 0] = [drawn.row, drawn.column, drawn.shown, drawn.open].map(Number)
  // Where nothing stands below what has ended there is no row.
  const lines = open === 0 && all.at(-1) === '' ? all.slice(0, -1) : all
  const at = Math.max(0, lines.length - open)
  const parts = { above: lines.slice(0, at), open: lines.slice(at) }
  return { ...parts, shown, row: row - at, column, isOver: drawn.over === true, place, line, end }
}

/** It reads keys, whoever gives them. */
export function isRaw({ data }: ExecResult): boolean {
  return data?.raw === true
}

/** It reads single keys, and no lines. */
export function readsKeys({ data }: ExecResult): boolean {
  return data?.reads === 'keys'
}

/** It may read single keys, or edit lines by itself: its terminal does not tell. */
export function mayReadKeys(result: ExecResult): boolean {
  return isRaw(result) && result.data?.reads === undefined
}

/** It has turned off that its person sees what they type. */
export function isSecretRead({ data }: ExecResult): boolean {
  return data?.secret === true
}

/** It has hidden its cursor, as programs do that let one choose. */
export function isCursorHidden({ data }: ExecResult): boolean {
  return data?.hidden === true
}

/** It draws over what it printed, or has hidden its cursor to do so. */
export function draws(result: ExecResult): boolean {
  return isCursorHidden(result) || shownPart(result)?.isOver === true
}

/** It reads keys, and shows by itself what they do. */
export function takesKeys(result: ExecResult): boolean {
  return readsKeys(result) || (isRaw(result) && draws(result))
}

/** Rows as they stay in the scrollback. */
export function rowsText(rows: readonly string[]): string {
  return rows.map(visibleStyled).join('\n')
}

/** The rows that may change; `note` stands below them, where keys are given to the program. */
export function openPart({ open, row, column }: ShownPart, note: Line | null): OpenPart | null {
  const isEmpty = open.every((line) => line === '')
  if (isEmpty && note === null) return null
  return { drawing: drawingOf(open, { row, column }, note), text: rowsText(open) }
}

function drawingOf(open: readonly string[], cursor: { row: number; column: number }, note: Line | null): Drawing {
  return (width, height) => {
    const room = Math.max(1, height - (note === null ? 0 : 1))
    // The row of the cursor is among those for which there is room.
    const from = Math.max(0, Math.min(open.length - room, cursor.row))
    const rows = open.slice(from, from + room)
    const lines = rows.map((text): Line => [{ text: fitStyled(text, width), isProgram: true }])
    const row = Math.max(0, Math.min(cursor.row - from, lines.length - 1))
    const at = { row, column: Math.min(cursor.column, width - 1) }
    return { rows: [...(lines.length === 0 ? [[]] : lines), ...(note === null ? [] : [note])], cursor: at }
  }
}
