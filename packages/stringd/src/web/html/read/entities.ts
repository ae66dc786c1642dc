import { createDocument } from '@mixmark-io/domino'

/** Reads character references, such as `&amp;` and `&#8212;`. */
export interface Entities {
  readonly inText: (raw: string) => string
  readonly inAttribute: (raw: string) => string
}

const REFERENCE = /&(?:#\d{1,8}|#x[0-9a-f]{1,7}|[a-z][a-z0-9]{0,31});?/gi
/** No reference stands for this character. */
const BETWEEN = '\u0001'

/** Knows every reference in `html`: a real parser reads each of them once. */
export function entitiesIn(html: string): Entities {
  const references = [...new Set(html.match(REFERENCE))]
  const meanings = createDocument(`<body>${references.join(BETWEEN)}`).body.textContent.split(BETWEEN)
  const table = new Map(references.map((reference, index) => [reference, meanings[index] ?? reference]))
  const read = (reference: string) => table.get(reference) ?? reference
  return {
    inText: (raw) => (raw.includes('&') ? raw.replace(REFERENCE, read) : raw),
    // In the query of a URL `&copy=1` is no copyright sign.
    inAttribute: (raw) =>
      raw.includes('&') ? raw.replace(REFERENCE, (each) => (each.endsWith(';') ? read(each) : each)) : raw,
  }
}
