import { visibleLine } from '@string-os/protocol'
import { choiceText } from './constraints.ts'
import type { Declaration } from './declaration.ts'
import { type Effects, sentFileText } from './effects.ts'
import { exampleCall } from './example.ts'
import type { Field } from './field.ts'

/** `/act.search NAME [[--unit] celsius|fahrenheit]`: how an action is called, its fields in the order in which words fill them. */
export function actionUsage({ called, fields, template }: Declaration): string {
  const words = fields.map((field, index) => {
    const before = fields.slice(0, index)
    if (!isNeeded(field)) return option(field, before.every(takesWord))
    const word = field.name.toUpperCase()
    // A word would go to the field before it.
    return before.every(isNeeded) ? word : `--${field.name} ${word}`
  })
  return visibleLine([called, ...words, ...(takesRest(template) ? ['[ARGS…]'] : [])].join(' '))
}

/** Told without a parser for bash, which a list does without: where `$ARGS` is only text, it says too much. */
function takesRest(template: Declaration['template']): boolean {
  return template.kind === 'cli' && /(?<!\\)\$(?:ARGS\b|\{ARGS\})/.test(template.script)
}

/** A row of a list: whoever calls it knows that it runs a command, and what becomes of values. */
export function actionRow(declaration: Declaration, { command, unsafe }: Effects): string {
  const notes = [...(command === null ? [] : ['runs a command']), ...(unsafe ? [UNSAFE] : [])]
  return notes.length === 0 ? actionUsage(declaration) : `${actionUsage(declaration)} (${notes.join(', ')})`
}

/** What is said of an action wherever it is shown that declares itself unsafe. */
export const UNSAFE = 'values may run as code'

/** The fields as a caller needs to know them, and what a call does. A variable is named, its value is nobody's business. */
export function actionSchema(declaration: Declaration, effects: Effects): string {
  const { fields, template } = declaration
  const taken = [...fields.map(fieldRow), ...(takesRest(template) ? [REST] : [])]
  const rows = taken.length === 0 ? ['(no fields)'] : taken
  const example = exampleCall(declaration)
  const typed = example === null ? [] : ['', `Example: ${visibleLine(example)}`]
  const does = effectRows(effects)
  return [actionUsage(declaration), '', ...rows, ...typed, ...(does.length === 0 ? [] : ['', ...does])].join('\n')
}

const REST = 'ARGS…  whatever no field takes, flags too: each word one argument'

/** What a call does, by kind only: the call is an interface, and `--dry-run` shows the command or the request itself. */
function effectRows({ command, reads, writes, unsafe }: Effects): string[] {
  return [
    ...(command === null ? [] : ['Runs a command: it may read and write any file, and use the network']),
    ...(reads.length === 0
      ? []
      : [`Reads the file: ${reads.map((each) => sentFileText(each, ', from your folder')).join('; ')}`]),
    ...(writes.length === 0 ? [] : [`Writes the file: ${writes.join('; ')}`]),
    ...(unsafe ? [`Unsafe: ${UNSAFE}`] : []),
  ]
}

export function isNeeded({ required, fallback }: Field): boolean {
  return required && fallback === null
}

/** A word fills it, whichever that is; what is true or false is named by its flag. */
function takesWord({ type }: Field): boolean {
  return type !== 'boolean'
}

/** In brackets of its own, a flag may be left out: the next word fills the field then. */
function option({ name, type, allowed }: Field, isNext: boolean): string {
  if (type === 'boolean') return `[--${name}]`
  const value =
    allowed?.map(choiceText).join('|') ?? (type === 'number' ? 'N' : type === 'tuple' ? 'A,B' : type.toUpperCase())
  return isNext ? `[[--${name}] ${value}]` : `[--${name} ${value}]`
}

/** `--name, -n  string, required: City name`: every field can be named, also where the usage line shows its place. */
export function fieldRow({ name, short, type, required, min, max, allowed, description, fallback }: Field): string {
  const facts = [
    type,
    ...(required ? ['required'] : []),
    ...(min === null ? [] : [`min ${min}`]),
    ...(max === null ? [] : [`max ${max}`]),
    ...(allowed === null ? [] : [allowed.map(choiceText).join('|')]),
    ...(fallback === null ? [] : [`default "${fallback}"`]),
  ]
  const spelled = short === null ? `--${name}` : `--${name}, -${short}`
  return visibleLine(`${spelled}  ${facts.join(', ')}${description === null ? '' : `: ${description}`}`)
}
