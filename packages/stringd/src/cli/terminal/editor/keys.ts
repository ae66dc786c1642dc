import type { Key } from 'node:readline'
import type { TextBuffer } from './text-buffer.ts'

/** How a key is called in the tables: `ctrl-a`, `alt-b`, `shift-tab`, `up`. */
export function nameOf({ name, ctrl, meta, shift, sequence = '' }: Key): string {
  // Terminals that tell Shift-Enter from Enter do so in one of these ways.
  if (sequence === '\x1b[13;2u' || sequence === '\x1b[27;2;13~') return 'newline'
  if (sequence === '\n' || sequence === '\x1b\r' || sequence === '\x1b\n') return 'newline'
  if (sequence === '\x1f') return 'ctrl-_'
  if (sequence === '\x1d') return 'ctrl-]'
  // Alone it comes as if Alt were held.
  if (name === 'escape') return name
  // A sign has no name.
  const called = name ?? (meta ? sequence.slice(1) : '')
  const marks = [ctrl ? 'ctrl-' : '', meta ? 'alt-' : '', shift && (name ?? '').length > 1 ? 'shift-' : '']
  return `${marks.join('')}${called}`
}

/** Text that a key stands for; null for keys that are no text. */
export function typedBy(text: string | undefined, { ctrl, meta }: Key): string | null {
  if (text === undefined || text === '' || ctrl || meta) return null
  const code = text.codePointAt(0) ?? 0
  return code < 32 || code === 127 ? null : text
}

/** What keys do to the text alone. */
export const EDITING: ReadonlyMap<string, (buffer: TextBuffer) => void> = new Map(
  Object.entries({
    left: (buffer) => buffer.left(),
    'ctrl-b': (buffer) => buffer.left(),
    right: (buffer) => buffer.right(),
    'ctrl-f': (buffer) => buffer.right(),
    'ctrl-left': (buffer) => buffer.wordLeft(),
    'alt-left': (buffer) => buffer.wordLeft(),
    'alt-b': (buffer) => buffer.wordLeft(),
    'ctrl-right': (buffer) => buffer.wordRight(),
    'alt-right': (buffer) => buffer.wordRight(),
    'alt-f': (buffer) => buffer.wordRight(),
    home: (buffer) => buffer.lineStart(),
    'ctrl-a': (buffer) => buffer.lineStart(),
    end: (buffer) => buffer.lineEnd(),
    'ctrl-e': (buffer) => buffer.lineEnd(),
    'ctrl-home': (buffer) => buffer.start(),
    'alt-<': (buffer) => buffer.start(),
    'ctrl-end': (buffer) => buffer.end(),
    'alt->': (buffer) => buffer.end(),
    backspace: (buffer) => buffer.backspace(),
    'ctrl-h': (buffer) => buffer.backspace(),
    'shift-backspace': (buffer) => buffer.backspace(),
    delete: (buffer) => buffer.delete(),
    'ctrl-w': (buffer) => buffer.killBlankWordLeft(),
    'alt-backspace': (buffer) => buffer.killWordLeft(),
    'ctrl-backspace': (buffer) => buffer.killWordLeft(),
    'alt-d': (buffer) => buffer.killWordRight(),
    'ctrl-delete': (buffer) => buffer.killWordRight(),
    'ctrl-u': (buffer) => buffer.killLineLeft(),
    'ctrl-k': (buffer) => buffer.killLineRight(),
    'ctrl-y': (buffer) => buffer.yank(),
    'ctrl-_': (buffer) => buffer.undo(),
    newline: (buffer) => buffer.insert('\n'),
    'alt-return': (buffer) => buffer.insert('\n'),
    'alt-enter': (buffer) => buffer.insert('\n'),
  } satisfies Record<string, (buffer: TextBuffer) => void>),
)

/** Keys that take over what is suggested behind the cursor, where they have nothing else to do. */
export const TAKING: ReadonlySet<string> = new Set(['right', 'ctrl-f', 'end', 'ctrl-e'])
