import { type Failure, fail, LIMITS } from '@string-os/protocol'
import {
  exchangedLines,
  labelOf,
  lineNumbers,
  parseReplacements,
  placesOf,
  type Separators,
  type TextExchange,
} from '../../document/text/exact-text.ts'
import { spliceLines } from '../../document/text/text-lines.ts'
import type { MakeText } from '../../editing/editor.ts'

interface Made {
  readonly ok: true
  readonly make: MakeText
}

interface Exchanges {
  readonly ok: true
  readonly exchanges: readonly TextExchange[]
}

/** Puts new texts in place of old ones. Each old one is looked for in the file as it is, so that none finds what another has put. */
export function exactTexts(shown: string, body: string, separators: Separators, all: boolean): Made | Failure {
  const parsed = parseReplacements(body, separators)
  if (!parsed.ok) return parsed
  const { items } = parsed
  const make: MakeText = async ({ lines }, pause) => {
    const text = lines.map((line) => line.text).join('\n')
    const exchanges: TextExchange[] = []
    for (const [index, { old, new: next }] of items.entries()) {
      const places = placesOf(text, old, LIMITS.replacedPlaces - exchanges.length)
      const label = labelOf(index, items.length)
      if (places === null) return tooMany(shown, label)
      if (places.length !== 1 && !(all && places.length > 0)) return notOnce(shown, label, lineNumbers(text, places))
      for (const start of places) exchanges.push({ start, end: start + old.length, next })
      // Of a large file each look takes a while.
      await pause()
    }
    const ordered = inOrder(exchanges, text, shown)
    if (!ordered.ok) return ordered
    const { from, count, texts } = exchangedLines(text, ordered.exchanges)
    return { ok: true, lines: spliceLines(lines, from, count, texts), put: 0 }
  }
  return { ok: true, make }
}

function inOrder(exchanges: readonly TextExchange[], text: string, shown: string): Exchanges | Failure {
  const ordered = exchanges.toSorted((a, b) => a.start - b.start)
  const growth = ordered.reduce((sum, { start, end, next }) => sum + (next?.length ?? 0) - (end - start), 0)
  if (text.length + growth > LIMITS.documentBytes) return tooLarge(shown)
  const second = ordered.find(({ start }, index) => index > 0 && start < (ordered[index - 1]?.end ?? 0))
  if (second === undefined) return { ok: true, exchanges: ordered }
  const [line = 1] = lineNumbers(text, [second.start])
  return fail(
    'USAGE',
    `Two of the replacements change the same text, at L${line} of ${shown}`,
    'Make one of them, with the old text of both',
  )
}

function tooMany(shown: string, label: string): Failure {
  return fail(
    'TOO_LARGE',
    `${label}The text stands more than ${LIMITS.replacedPlaces} times in ${shown}`,
    'Give more of the text around it; /exec can change every place, for example with sed',
  )
}

function tooLarge(shown: string): Failure {
  const mib = LIMITS.documentBytes / 1024 / 1024
  return fail('TOO_LARGE', `${shown} would be larger than ${mib} MiB`, 'Write less, or several files')
}

function notOnce(shown: string, label: string, places: readonly number[]): Failure {
  if (places.length === 0)
    return fail('NOT_FOUND', `${label}The text does not stand in ${shown}`, `/edit ${shown} shows it with line numbers`)
  const named = places.slice(0, 20).map((line) => `L${line}`)
  return fail(
    'AMBIGUOUS',
    `${label}The text stands ${places.length} times in ${shown}`,
    `At ${named.join(', ')}`,
    'Give more of the text around it, or --all for every place',
  )
}
