import { nearest, quoted } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { ABOUT_KEYS, NEED_KEYS } from '../source/about.ts'
import type { PackageProblem } from './package-problem.ts'

/** What stands in the front matter of a package and counts for nothing. Other keys are allowed: they may be for others. */
export function checkFrontMatter(file: string, { text, frontMatter: { values } }: Document): PackageProblem[] {
  const unknown = [...values.keys()].filter((key) => !ABOUT_KEYS.includes(key))
  const inEntries = ['env', 'requires'].flatMap((key) => attributesIn(values.get(key)))
  return [
    ...unknown.map((key) => ignored(file, key, lineOf(text, key), ABOUT_KEYS)),
    ...inEntries.map((key) => ignored(file, key, lineOf(text, key), NEED_KEYS)),
    ...listed(file, text, values),
  ]
}

function ignored(file: string, key: string, line: number | null, known: readonly string[]): PackageProblem {
  const close = nearest(key, known)
  const next = close === null ? `Known keys: ${known.join(', ')}` : `Did you mean ${close}?`
  return {
    file,
    line,
    problem: `The front matter has a key ${quoted(key)} that means nothing here`,
    next,
    isDoubt: true,
  }
}

/** Keys below the name of a variable, or beside it, that say nothing about it. */
function attributesIn(value: unknown): string[] {
  const entries: unknown[] =
    value instanceof Map ? [...value.values()] : Array.isArray(value) ? value.flatMap(mapsIn) : []
  return entries
    .flatMap((entry): unknown[] => (entry instanceof Map ? [...entry.keys()] : []))
    .flatMap((key: unknown) => (typeof key === 'string' && !NEED_KEYS.includes(key) ? [key] : []))
}

function mapsIn(entry: unknown): unknown[] {
  if (!(entry instanceof Map)) return []
  return entry.has('name') ? [entry] : [...entry.values()]
}

/** Where one text is meant. */
function listed(file: string, text: string, values: ReadonlyMap<string, unknown>): PackageProblem[] {
  return ['title', 'description', 'version'].flatMap((key) =>
    typeof values.get(key) === 'object' && values.get(key) !== null
      ? [
          {
            file,
            line: lineOf(text, key),
            problem: `The front matter has a wrong ${key}: it is a list`,
            next: 'Write one text, in quotes if it has brackets',
          },
        ]
      : [],
  )
}

export function lineOf(text: string, key: string): number | null {
  const at = text
    .split('\n')
    .findIndex((line) => line.replace(/^[\s{-]*["']?/, '').startsWith(key) && line.includes(':'))
  return at === -1 ? null : at + 1
}
