import { type Fields, isFields } from '@string-os/protocol'

/** What stands under a name, when it is an object; else one that holds nothing. */
export function fieldsAt(value: unknown, name: string): Fields {
  const found = isFields(value) ? value[name] : undefined
  return isFields(found) ? found : {}
}

/** The objects of a list under a name. */
export function listAt(value: unknown, name: string): readonly Fields[] {
  const found = isFields(value) ? value[name] : undefined
  return Array.isArray(found) ? found.filter(isFields) : []
}

export function textAt(value: unknown, name: string): string {
  const found = isFields(value) ? value[name] : undefined
  return typeof found === 'string' ? found : ''
}

/** A content that is a text, or a list of parts with texts. */
export function contentAt(value: unknown, name: string): string {
  const whole = textAt(value, name)
  if (whole !== '') return whole
  return listAt(value, name)
    .map((part) => textAt(part, 'text'))
    .filter((text) => text !== '')
    .join('\n')
}
