import { truncate } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { textPart } from './parts.ts'
import { shownLine, shownText } from './shown.ts'

/** How much of a text stands in a line that is one of many. */
const LINE_CHARS = 400

/** What somebody else wrote, on one line: control characters are seen, and its direction stays inside. */
export function Line({ text, chars = LINE_CHARS }: { text: string; chars?: number }): VNode {
  return <bdi class="line">{shownLine(truncate(text, chars))}</bdi>
}

/** What somebody else wrote, as it is written: the first part of it, and more on demand. */
export function Plain({ text, label }: { text: string; label?: string }): VNode {
  const [parts, setParts] = useState(1)
  const { shown, left } = textPart(text, parts)
  return (
    <div class="plain" {...(label === undefined ? {} : { role: 'group', 'aria-label': label })}>
      <bdi>{shownText(shown.replaceAll('\r\n', '\n'))}</bdi>
      <More left={left} onMore={() => setParts(parts + 1)} />
    </div>
  )
}

export function More({ left, onMore }: { left: number; onMore: () => void }): VNode | null {
  if (left === 0) return null
  return (
    <button type="button" class="more" onClick={onMore}>
      Show more, {Math.ceil(left / 1024).toLocaleString('en')} KB are left
    </button>
  )
}
