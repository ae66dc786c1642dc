import { decodeHTML } from 'entities/decode'

const REFERENCE = /&(?:#\d{1,8}|#x[0-9a-f]{1,7}|[a-z][a-z0-9]{0,31});?/gi

/** Text with its character references read, such as `&amp;` and `&#8212;`. */
export function decodeReferences(raw: string): string {
  return raw.includes('&') ? raw.replace(REFERENCE, (reference) => decodeHTML(reference)) : raw
}

/** The value of an attribute. In the query of a URL `&copy=1` is no copyright sign. */
export function decodeAttribute(raw: string): string {
  if (!raw.includes('&')) return raw
  return raw.replace(REFERENCE, (reference) => (reference.endsWith(';') ? decodeHTML(reference) : reference))
}
