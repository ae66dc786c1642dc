import type { ExecResult } from '@string-os/client'
import type { Line } from '../terminal/styled-text.ts'

/** Whether an answer tells what an edit did to a file. */
export function isChange(data: ExecResult['data']): boolean {
  return typeof data?.added === 'number' && typeof data.removed === 'number'
}

/** Numbered lines: what is new and what is gone is told by its colour as well. */
export function changeLines(body: string): readonly Line[] {
  return body.split('\n').map((text) => {
    const [, sign] = /^ *\d+ ([+-])│/.exec(text) ?? []
    return sign === undefined ? [{ text }] : [{ text, styles: [sign === '+' ? 'green' : 'red'] }]
  })
}
