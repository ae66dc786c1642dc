import { LIMITS } from '@string-os/protocol'
import { markFields } from '../bash/mark.ts'
import { parseScript } from '../bash/parse.ts'
import { type Fault, FIELD_TYPES, fault, judgeField, type Misread, meantType } from './field.ts'

const BEHIND = 'in the first line behind the address, or in a line below it that is not indented'

/** An indented line that is none of a field, but something else of an action in the wrong place; null where it may be a field. */
export function misplaced(text: string, kind: 'http' | 'cli'): Fault | null {
  if (kind === 'cli')
    return /^--?[A-Za-z]/.test(text)
      ? fault(
          'an indented line is a field, and this looks like the rest of the command',
          'End the line above with \\: the command goes on below it',
        )
      : null
  if (/^-[Hd]\s/.test(text)) return fault(`${text.slice(0, 2)} stands among the fields`, `Write ${text}, ${BEHIND}`)
  const [, name = '', value = ''] = /^([A-Za-z][\w-]*)\s*:\s*(.*)$/.exec(text) ?? []
  if (name === '' || isTyped(value)) return null
  if (name === 'body')
    return fault('body: stands alone in its line', 'Write body: alone, and the text below it, indented deeper')
  if (/^headers?$/i.test(name))
    return fault('there is no block of headers', `Write each as -H "Name: value", ${BEHIND}`)
  return isHeader(name, value) ? fault(`${name} looks like a header`, `Write -H ${inQuotes(text)}, ${BEHIND}`) : null
}

interface Line {
  readonly number: number
  readonly text: string
}

/** A command whose end is indented as fields are: without these lines bash cannot read it, and with them it can. */
export function cutShort(
  script: string,
  below: readonly Line[],
  end: number,
): { readonly wrong: Misread; readonly fields: readonly Line[] } | null {
  const [first] = below
  if (first?.number !== end + 1) return null
  const from = below.findIndex(({ text }) => judgeField(text).field !== null)
  const cut = from === -1 ? below : below.slice(0, from)
  const fields = below.slice(cut.length)
  const last = cut.at(-1)?.text.slice(0, LIMITS.shownValueChars)
  if (last === undefined || (script.trim() !== '' && isReadable(script, fields))) return null
  if (!isReadable([script, ...cut.map(({ text }) => text)].join('\n'), fields)) return null
  const wrong = fault(
    'an indented line is a field, and the command above it is not complete',
    `Begin the last line of the command at the margin: ${last}`,
  )
  return { wrong: { ...wrong, line: first.number }, fields }
}

function isReadable(script: string, fields: readonly Line[]): boolean {
  const names = fields.flatMap(({ text }) => judgeField(text).field?.name ?? [])
  return parseScript(markFields(script, new Set(names)).text).ok
}

/** A field that is not indented, at the end of a command: no program is called so. */
export function unindented(text: string): Fault | null {
  const [, name = '', value = ''] = /^([A-Za-z_][\w-]*)\s*(?:,\s*-[A-Za-z]\s*)?:\s*(.*)$/.exec(text) ?? []
  // A quote that has no other here may close one of the command.
  if ([`'`, '"'].some((quote) => value.split(quote).length % 2 === 0)) return null
  if (!isTyped(value) || judgeField(text).wrong.length > 0) return null
  const [type = ''] = value.split(/[\s("=]/, 1)
  return fault(`${name}: ${type} looks like a field`, `Indent it by two blanks: "  ${text}"`)
}

/** Indented lines that would be fields, if no line at the margin stood behind them: they are a part of the command. */
export function amidCommand(content: string): readonly Line[] {
  const lines = content.split('\n').map((text, at) => ({ number: at, text }))
  const last = lines.findLastIndex(({ text }) => /^\S/.test(text))
  return lines.slice(1, Math.max(1, last)).filter(({ text }) => /^\s/.test(text) && unindented(text.trim()) !== null)
}

/** The type is a word of its own, or nearly one. */
function isTyped(value: string): boolean {
  const [, word] = /^([A-Za-z]+)(?=[\s("=]|$)/.exec(value) ?? []
  return word !== undefined && (FIELD_TYPES.some((type) => type === word) || meantType(word) !== null)
}

const HEADER = /^(?:accept|authorization|cache-control|content|cookie|if-|origin|referer|user-agent|x-)/i

/** A name that is known, or one written as headers are and a value that is more than a word. */
function isHeader(name: string, value: string): boolean {
  if (value === '') return false
  return HEADER.test(name) || (/^[A-Z]|-/.test(name) && !/^[A-Za-z]+$/.test(value))
}

function inQuotes(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`
}
