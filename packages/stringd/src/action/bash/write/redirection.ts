import type { HereDoc, Redirect, Redirection } from 'unbash'
import { REFUSED } from '../know/refusal.ts'
import { join, known, type Text } from '../know/text.ts'
import { type ScriptPart, textPart } from '../script-part.ts'
import type { Walk } from './walk.ts'
import { writeQuoted, writeWord } from './word.ts'

export interface WrittenRedirection {
  readonly parts: readonly ScriptPart[]
  /** The descriptor that it opens for reading; null where it opens none. */
  readonly reads: string | null
  /** The text that a command is given to read. */
  readonly document: Text | null
  /** A file that is read. */
  readonly source: Text | null
  /** A file that is written. */
  readonly target: Text | null
}

export function writeRedirection(node: Redirection, walk: Walk): WrittenRedirection {
  const { descriptor } = node
  if (descriptor?.type === 'FileDescriptorVariable') walk.refuse(REFUSED.descriptor, node.pos)
  const number = descriptor?.type === 'FileDescriptor' ? `${descriptor.value}` : ''
  if (node.type === 'Redirect') return writeFile(node, number, walk)
  const document = node.type === 'HereDoc' ? hereDocument(node, walk) : hereString(node.target, node.pos, walk)
  const [operator, text] = document === null ? ['<', known('/dev/null')] : ['<<<', document]
  const parts = [textPart(` ${number}${operator} `), ...text.parts]
  return { parts, reads: number || '0', document: text, source: null, target: null }
}

function writeFile({ operator, target, pos }: Redirect, number: string, walk: Walk): WrittenRedirection {
  const file = target === undefined ? known('') : writeWord(target, walk)
  if (operator === '>&' || operator === '<&') {
    if (!/^(?:\d+-?|-)$/.test(file.value ?? '') && (operator === '<&' || file.value === null || file.value === ''))
      walk.refuse(REFUSED.descriptor, pos)
    const isFile = !/^(?:\d+-?|-)$/.test(file.value ?? '')
    const reads = operator === '<&' ? number || '0' : null
    return { parts: written(number, operator, file), reads, document: null, source: null, target: isFile ? file : null }
  }
  const parts = written(number, operator, file)
  const isRead = operator === '<' || operator === '<>'
  const reads = isRead ? number || '0' : null
  return { parts, reads, document: null, source: isRead ? file : null, target: operator === '<' ? null : file }
}

function written(number: string, operator: string, file: Text): ScriptPart[] {
  // A descriptor behind >& is no word of its own: it stands as it is.
  const isDescriptor = /^(?:\d+-?|-)$/.test(file.value ?? '')
  return isDescriptor
    ? [textPart(` ${number}${operator}${file.value}`)]
    : [textPart(` ${number}${operator} `), ...file.parts]
}

function hereString(target: Parameters<typeof writeWord>[0] | undefined, at: number, walk: Walk): Text {
  if (target === undefined) walk.refuse(REFUSED.heredocEnd, at)
  return target === undefined ? known('') : { ...writeWord(target, walk), isOne: true }
}

/** A here-document as the text of a here-string, which adds the line end that is taken away here; null: it is empty. */
function hereDocument({ operator, delimiter, body, pos }: HereDoc, walk: Walk): Text | null {
  const isQuoted = delimiter?.quoted === true
  const stripsTabs = operator === '<<-'
  if (body.text === '') return null
  if (delimiter === undefined || walk.marked.isIn(delimiter.text) || !body.text.endsWith('\n'))
    walk.refuse(REFUSED.heredocEnd, pos)
  if (stripsTabs && !isQuoted && body.text.includes('\\\n')) walk.refuse(REFUSED.heredocEnd, pos)
  const value = isQuoted ? body.text : body.text.replace(/\\([\\$`]|\n)/g, (_, next: string) => next.trimEnd())
  const raw = { type: 'Literal', value, text: body.text, pos: body.pos, end: body.end } as const
  const parts = isQuoted ? [raw] : (body.parts ?? [raw])
  let isLineStart = true
  const stripped = parts.map((part, at) => {
    if (part.type !== 'Literal') {
      isLineStart = false
      return part
    }
    const text = stripsTabs ? part.value.replace(isLineStart ? /^\t+|(?<=\n)\t+/g : /(?<=\n)\t+/g, '') : part.value
    isLineStart = part.value.endsWith('\n')
    return { ...part, value: at === parts.length - 1 ? text.replace(/\n$/, '') : text }
  })
  if (parts.at(-1)?.type !== 'Literal') walk.refuse(REFUSED.heredocEnd, pos)
  return join([known(''), writeQuoted(stripped, walk)])
}
