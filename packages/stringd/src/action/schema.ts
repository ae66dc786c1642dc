import { visibleLine } from '@string-os/protocol'
import type { Declaration } from './declaration.ts'
import type { Field } from './field.ts'

/** `/act.search NAME [--unit celsius|fahrenheit]`: how an action is called, never what it does. */
export function actionUsage({ called, fields }: Declaration): string {
  const needed = fields.filter(isNeeded).map(({ name }) => name.toUpperCase())
  const others = fields.filter((field) => !isNeeded(field)).map(option)
  return [called, ...needed, ...others].join(' ')
}

/** What is said of an action wherever it is shown that declares itself unsafe. */
export const UNSAFE = 'values may run as code'

export function isUnsafe({ template }: Declaration): boolean {
  return template.kind === 'cli' && template.isUnsafe
}

/** The fields as a caller needs to know them. A variable is named, its value is nobody's business. */
export function actionSchema(declaration: Declaration): string {
  const { fields } = declaration
  const rows = fields.length === 0 ? ['(no fields)'] : fields.map(fieldRow)
  const warning = isUnsafe(declaration) ? [`Unsafe: ${UNSAFE}`, ''] : []
  return [actionUsage(declaration), '', ...warning, ...rows].join('\n')
}

export function isNeeded({ required, fallback }: Field): boolean {
  return required && fallback === null
}

function option({ name, type, allowed }: Field): string {
  if (type === 'boolean') return `[--${name}]`
  const value = allowed?.join('|') ?? (type === 'number' ? 'N' : type === 'tuple' ? 'A,B' : type.toUpperCase())
  return `[--${name} ${value}]`
}

/** `--name, -n  string, required: City name`: every field can be named, also where the usage line shows its place. */
function fieldRow({ name, short, type, required, min, max, allowed, description, fallback }: Field): string {
  const facts = [
    type,
    ...(required ? ['required'] : []),
    ...(min === null ? [] : [`min ${min}`]),
    ...(max === null ? [] : [`max ${max}`]),
    ...(allowed === null ? [] : [allowed.join('|')]),
    ...(fallback === null ? [] : [`default "${fallback}"`]),
  ]
  const spelled = short === null ? `--${name}` : `--${name}, -${short}`
  return visibleLine(`${spelled}  ${facts.join(', ')}${description === null ? '' : `: ${description}`}`)
}
