import { listNames, nearest, quoted } from '@string-os/protocol'
import { isGiven } from '../../action/bash/given-variables.ts'
import { judgeDeclaration } from '../../action/declare/declaration.ts'
import { isNeeded } from '../../action/declare/schema.ts'
import type { Document } from '../../document/document.ts'
import { ABOUT_KEYS, type About, type JudgedAbout, localName, NEED_KEYS, namesOfNeeds } from '../source/about.ts'
import type { ShownActions } from '../source/shown-actions.ts'
import { CONTEXT_NAMES } from '../use/package-powers.ts'
import type { PackageProblem } from './package-problem.ts'

/** What stands in the front matter of a package and counts for nothing. Other keys are allowed: they may be for others. */
export function checkFrontMatter(
  file: string,
  document: Document,
  { about, wrong, shown }: JudgedAbout & { readonly shown: ShownActions },
): PackageProblem[] {
  const { text, frontMatter } = document
  const { values } = frontMatter
  const unknown = [...values.keys()].filter((key) => !ABOUT_KEYS.includes(key))
  const inEntries = ['env', 'requires'].flatMap((key) => attributesIn(values.get(key)))
  return [
    ...unknown.map((key) => ignored(file, key, lineOf(text, key, /^/), ABOUT_KEYS)),
    ...inEntries.map((key) => ignored(file, key, lineOf(text, key, /^[\s{-]+/) ?? lineInBraces(text, key), NEED_KEYS)),
    ...listed(file, text, values),
    ...uselessNeeds(document).map((found) => ({ file, ...found })),
    ...(text.trim() === '' ? [{ file, line: null, ...EMPTY }] : []),
    ...[
      wrong.some(({ key }) => key === 'name') ? null : wrongName(about),
      oddNamespace(about),
      oddVersion(text, values),
      helplessDefault(shown, about),
      nothingFirst(shown, about),
    ].flatMap((found) => (found === null ? [] : [{ file, line: lineOf(text, found.key), ...found.told }])),
  ]
}

const EMPTY = {
  problem: 'The page is empty: nobody who opens it sees anything, and nothing can be called',
  next: 'string app init NAME writes one to begin with',
  isDoubt: true,
} as const

/** Variables that are listed and would never be what was stored. */
function uselessNeeds(document: Document): (Told['told'] & Pick<PackageProblem, 'line'>)[] {
  const { text } = document
  const key = document.frontMatter.values.has('env') ? 'env' : 'requires'
  const names = namesOfNeeds(document)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  const given = names.filter((name) => isGiven(name) || CONTEXT_NAMES.has(name))
  return [
    ...[...new Set(twice)].map((name) => ({
      line: entryLine(text, key, name, 1),
      problem: `env lists $${name} twice: only the first entry counts`,
      next: 'Remove the other one',
    })),
    ...[...new Set(given)].map((name) => ({
      line: entryLine(text, key, name),
      problem: `env lists $${name}, which every command has by itself: what is stored under that name reaches none`,
      next: 'Give it another name, or remove it',
    })),
  ]
}

/** Something about one key. */
interface Told {
  readonly key: string
  readonly told: Pick<PackageProblem, 'problem' | 'next' | 'isDoubt'>
}

/** Under its own name it could not be installed; where it says none, one is made of where it comes from. */
function wrongName(about: About): Told | null {
  const judged = about.name === null ? null : localName(undefined, about, about.name)
  if (judged === null || judged.ok) return null
  return { key: 'name', told: { problem: judged.system, next: judged.hints.join('. ') } }
}

/** It stands before a name, and is told from it by a slash. */
function oddNamespace({ namespace }: About): Told | null {
  if (namespace === null || /^[\w.-]+$/.test(namespace)) return null
  const problem = `The namespace ${quoted(namespace)} is more than letters, digits, _, - and .`
  return { key: 'namespace', told: { problem, next: 'Write whose the package is, as namespace: acme', isDoubt: true } }
}

const VERSION = /^v?\d+(?:\.\d+){0,3}(?:[-+.][\w.+-]+)?$/

/** Nobody compares versions but people, who would be misled. */
function oddVersion(text: string, values: ReadonlyMap<string, unknown>): Told | null {
  const value = values.get('version')
  const [, written = ''] = /^version:[ \t]*([^\s#]+)[ \t]*(?:#.*)?$/m.exec(text) ?? []
  if (typeof value === 'number' && String(value) !== written)
    return {
      key: 'version',
      told: {
        problem: `The version ${written} is read as the number ${value}`,
        next: `Write it in quotes: version: "${written}"`,
      },
    }
  if (typeof value !== 'string' || VERSION.test(value.trim())) return null
  const problem = `The version ${quoted(value)} is no number that others could compare`
  return { key: 'version', told: { problem, next: 'Write one like version: 0.1.0', isDoubt: true } }
}

/** An app that runs an action when it is opened has nobody to ask. */
function helplessDefault(shown: ShownActions, about: About): Told | null {
  if (about.type === 'tool' || about.default === null) return null
  const source = shown.get(about.default)
  const fields = source === undefined ? [] : judgeDeclaration(source).fields
  const needed = fields.filter(isNeeded).map(({ name }) => name)
  if (needed.length === 0) return null
  const problem = `The default action ${about.default} needs ${listNames(needed)}: when the app is opened, it cannot run`
  const next = `Give ${needed.length === 1 ? `${needed[0]} a default` : 'them defaults'} (= "…"), or name an action that needs nothing`
  return { key: 'default', told: { problem, next, isDoubt: true } }
}

const NO_ACTION = {
  problem: 'The tool has no action: there is nothing that it could run',
  next: 'Write one, as ```act.run with CLI ./program {file} in it, or include the page that has it',
  isDoubt: true,
} as const

/** Called by its name alone, such a tool only says what it can do. */
function nothingFirst(shown: ShownActions, about: About): Told | null {
  const ids = [...shown.keys()]
  if (about.type !== 'tool') return null
  if (ids.length === 0) return { key: 'type', told: NO_ACTION }
  if (about.default !== null || ids.length < 2) return null
  const problem = `The tool has ${ids.length} actions and no default: /tool:${about.name ?? 'NAME'} alone runs nothing`
  return {
    key: 'type',
    told: {
      problem,
      next: `Add default: ${ids[0]} to its front matter, or another of ${listNames(ids)}`,
      isDoubt: true,
    },
  }
}

function ignored(file: string, key: string, line: number | null, known: readonly string[]): PackageProblem {
  const close = nearest(key, known) ?? (/^env(?:ir|s|_|$)/i.test(key) && known.includes('env') ? 'env' : null)
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

/** `before` is what stands in front of it: a key of an entry is indented, one of the package is not. */
function lineOf(text: string, key: string, before = /^[\s{-]*/): number | null {
  const row = new RegExp(`${before.source}["']?([\\w$-]+)["']?\\s*:`)
  const at = text.split('\n').findIndex((line) => row.exec(line)?.[1] === key)
  return at === -1 ? null : at + 1
}

/** Of a key behind others in the braces of one line. */
function lineInBraces(text: string, key: string): number | null {
  const at = text.split('\n').findIndex((line) => line.split(/[{,]/).some((part) => part.trim().startsWith(`${key}:`)))
  return at === -1 ? null : at + 1
}

/** Where an entry of a list stands, of several of that name the one at `at`; else the list, which may be in one line. */
export function entryLine(text: string, key: string, name: string | null, at = 0): number | null {
  const start = lineOf(text, key)
  if (start === null || name === null) return start
  const word = name.replace(/[^\w]/g, '\\$&')
  const entry = new RegExp(`^[\\s{-]*(?:name\\s*:\\s*)?["']?\\$?${word}["']?\\s*(?:[:,}#]|$)`)
  const rows = text.split('\n').slice(start)
  const end = rows.findIndex((row) => /^[^\s-]|^---/.test(row))
  const found = rows.slice(0, end === -1 ? undefined : end).flatMap((row, index) => (entry.test(row) ? [index] : []))
  const row = found[at] ?? found[0]
  return row === undefined ? start : start + 1 + row
}
