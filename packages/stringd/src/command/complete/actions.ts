import { readBegun } from '../../action/call/arguments.ts'
import { choiceText } from '../../action/declare/constraints.ts'
import type { Field } from '../../action/declare/field.ts'
import type { PageAction } from '../../document/page.ts'
import type { Base } from '../../library/address.ts'
import { type Actions, actionsAtHand } from '../act/callable-actions.ts'
import { describeAction } from '../act/describe-action.ts'
import type { CommandContext } from '../core/context.ts'
import { type Asked, type Candidate, candidate, label } from './candidates.ts'
import { givenPaths } from './paths.ts'

const SWITCHES = [
  candidate('--help', 'flag', 'its fields'),
  candidate('--dry-run', 'flag', 'show the request, send nothing'),
]

/** So much of a value tells which one it is. */
const ABOUT_CHARS = 60

/** What a call would find. */
export async function openActions(context: CommandContext): Promise<Actions> {
  return (await actionsAtHand(context)).all
}

/** Of a tool: only of one that is a file here. */
export async function toolActions(name: string, context: CommandContext): Promise<Actions> {
  const found = context.packages.tool(name)
  if (!found.ok || found.entry.startsWith('http')) return new Map()
  const reader = context.readerIn(found.folder)
  const address = await reader.resolve(found.entry)
  const loaded = address.ok && address.kind === 'file' ? await reader.load(address, name) : null
  return loaded?.ok ? loaded.index.actions : new Map()
}

/** Actions by their names, with the fields that they take. */
export function actionNames(actions: Actions, prefix: string): readonly Candidate[] {
  return [...actions.values()].map((action) => {
    const fields = fieldsOf(action).map(({ name, required }) => (required ? name : `[${name}]`))
    return candidate(`${prefix}${action.id}`, 'action', fields.join(' ') || null)
  })
}

/** What may follow in a call of an action: its fields as flags, and values where only some are allowed. */
export function callWords(action: PageAction<Base> | undefined, asked: Asked): readonly Candidate[] {
  if (action === undefined) return []
  const { word, before, context } = asked
  const read = describeAction(action)
  if (!read.ok) return []
  const files = new Set(read.effects.reads.map(({ field }) => field))
  const { waiting, left } = readBegun(read.declaration, before)
  const flags = [...left.map(flag), ...SWITCHES]
  const attached = /^(--([\w-]+)=)(.*)$/s.exec(word)
  if (attached !== null) return attachedValues(attached, read.declaration.fields, { files, asked })
  if (word.startsWith('-')) return flags
  if (word.startsWith('@')) return keptValues(context)
  if (waiting !== null) return valuesOf(waiting, files, asked)
  const [next] = left
  const values = next === undefined ? [] : valuesOf(next, files, asked)
  return word === '' ? [...values, ...flags] : values
}

/** `--style=pl`: its values with what stands before them. */
function attachedValues(
  [, before = '', name, word = '']: readonly string[],
  fields: readonly Field[],
  { files, asked }: { readonly files: ReadonlySet<string>; readonly asked: Asked },
): readonly Candidate[] {
  const field = fields.find((each) => each.name === name)
  if (field === undefined) return []
  return valuesOf(field, files, { ...asked, word }).map((each) => ({
    ...each,
    value: `${before}${each.value}`,
    text: `${before}${each.text}`,
  }))
}

/** What responses have left. */
function keptValues({ session }: CommandContext): readonly Candidate[] {
  return [...session.values].map(([name, value]) => candidate(`@${name}`, 'shortcut', aboutValue(value)))
}

function aboutValue(value: string | readonly string[]): string | null {
  const text = typeof value === 'string' ? value : value.join(', ')
  const shown = label(text.slice(0, ABOUT_CHARS).toWellFormed())
  return text.length > ABOUT_CHARS ? `${shown ?? ''}…` : shown
}

function fieldsOf(action: PageAction<Base>): readonly Field[] {
  const read = describeAction(action)
  return read.ok ? read.declaration.fields : []
}

function flag({ name, type, allowed, required, description }: Field): Candidate {
  const kind = allowed === null ? type : allowed.map(choiceText).join('|')
  const need = required ? `${kind}, required` : kind
  return candidate(`--${name}`, 'field', description === null ? need : `${need}: ${description}`)
}

function valuesOf({ name, type, allowed }: Field, files: ReadonlySet<string>, asked: Asked): readonly Candidate[] {
  if (allowed !== null) {
    // Of a tuple the item that is typed last.
    const before = type === 'tuple' ? asked.word.slice(0, asked.word.lastIndexOf(',') + 1) : ''
    return allowed.map((value) => candidate(`${before}${value}`, 'value'))
  }
  if (type === 'boolean') return ['true', 'false'].map((value) => candidate(value, 'value'))
  return type === 'path' || files.has(name) ? givenPaths(asked) : []
}
