import type { Message } from './send.ts'

/** Puts a message into a template: the texts in it change, its shape never does. */
export function fillTemplate(template: unknown, message: Pick<Message, 'text' | 'target'>): unknown {
  if (typeof template === 'string') {
    return template.replace(/\{(text|target)\}/g, (_whole, name: 'text' | 'target') => message[name])
  }
  if (Array.isArray(template)) return template.map((item: unknown) => fillTemplate(item, message))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillTemplate(value, message)]))
}
