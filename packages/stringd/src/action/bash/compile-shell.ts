import { LIMITS } from '@string-os/protocol'
import { apart, type Fault, fault, isAny, together } from '../declare/field.ts'
import { refusal } from './know/refusal.ts'
import { type Marked, markFields } from './mark.ts'
import { IN_A_FILE, parseScript } from './parse.ts'
import { sourceParts } from './places.ts'
import type { ScriptPart, ShellTemplate } from './script-part.ts'
import { variablesOf } from './variables.ts'
import { translate } from './write/translate.ts'

/**
 * Reads the template of a command. One with values is written anew, so that they are text in it; `isUnsafe`, it runs as it
 * was written, and what bash makes of them is the author's business.
 */
export function compileShell(source: string, fields: ReadonlySet<string>, isUnsafe: boolean): ShellTemplate | Fault {
  try {
    return compileScript(source, fields, isUnsafe)
  } catch (error) {
    // Whoever goes down into a tree comes to where the stack ends.
    if (error instanceof RangeError) return fault('too many commands inside each other', IN_A_FILE)
    throw error
  }
}

function compileScript(source: string, fields: ReadonlySet<string>, isUnsafe: boolean): ShellTemplate | Fault {
  if (Buffer.byteLength(source) > LIMITS.commandTemplateBytes)
    return fault(`a command is at most ${LIMITS.commandTemplateBytes} bytes`, IN_A_FILE)
  const marked = markFields(source, fields)
  const compiled = compileMarked(marked, isUnsafe)
  const refused = compiled.ok ? [] : apart(compiled)
  const wrong = [...marked.wrong, ...refused.map((each, at) => inOwnWords(each, source, fields, at === 0))]
  return isAny(wrong) ? together(wrong) : compiled
}

/** What is advised is about the line that is refused: that line itself where `--` mends it, else an example with its field. */
function inOwnWords(refused: Fault, source: string, fields: ReadonlySet<string>, isTried: boolean): Fault {
  const { row = 0, instead } = refused
  const lines = source.split('\n')
  const line = lines[row] ?? ''
  const [field] = [...line.matchAll(/\{([\w-]+)/g)].flatMap(([, name = '']) => (fields.has(name) ? [name] : []))
  if (field === undefined) return refused
  // It takes as long as reading the template once more, so it is done for the first alone.
  const dashed = isTried && instead.startsWith(BEHIND_DASHES) ? withDashes(line, field) : null
  const isMended = dashed !== null && isAccepted(lines.with(row, dashed).join('\n'), row, fields)
  return { ...refused, instead: isMended ? `Write ${dashed.trim()}` : instead.replace(/\{[qn]\}/g, `{${field}}`) }
}

const BEHIND_DASHES = refusal('', 'dashes').instead

/** The line with its first word that has the field, and all that follow, behind `--`. */
function withDashes(line: string, field: string): string | null {
  const found = new RegExp(`(?<=\\s)(?!-)\\S*\\{${field}`).exec(line)
  return found === null ? null : `${line.slice(0, found.index)}-- ${line.slice(found.index)}`
}

function isAccepted(source: string, row: number, fields: ReadonlySet<string>): boolean {
  const compiled = compileMarked(markFields(source, fields), false)
  return compiled.ok || !apart(compiled).some((each) => each.row === row)
}

function compileMarked(marked: Marked, isUnsafe: boolean): ShellTemplate | Fault {
  const parsed = parseScript(marked.text)
  if (!parsed.ok) return parsed
  const tree = parsed.script
  const written = sourceParts(marked, tree)
  const template = { ok: true, source: written, ...variablesOf(tree) } as const
  if (written.every(({ kind }) => kind === 'text')) return { ...template, script: written }
  if (isUnsafe) return written.some(isClosed) ? closed() : { ...template, script: written }
  const translated = translate(tree, marked)
  return translated.ok ? { ...template, script: translated.parts } : translated
}

function isClosed(part: ScriptPart): boolean {
  return part.kind !== 'text' && part.place === 'closed'
}

function closed(): Fault {
  return { ok: false, ...refusal('bash replaces nothing in a here-document whose end is quoted', 'heredoc') }
}
