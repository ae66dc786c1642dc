import type { Walk } from '../write/walk.ts'
import { REFUSED } from './refusal.ts'
import type { Text } from './text.ts'

/** What is written to a file: what may hold a value, what is only known when it runs, or what the script says itself. */
export type Content = 'value' | 'unknown' | 'written out'

/** A file that a command with a value writes to may hold it afterwards. */
export function noteTarget(target: Text | null, content: Content, at: number, walk: Walk): void {
  const { facts } = walk
  if (target === null) return
  if (target.holds) {
    facts.add('anywhere', `${at}`)
    facts.add('script', 'names')
  }
  const { guess } = target
  const base = baseOf(guess)
  if (content === 'written out' || guess === '/dev/null') return
  if (/^\**$/.test(base)) {
    if (content === 'value') facts.add('script', 'somewhere')
    return
  }
  facts.add('target', base)
  if (content !== 'value') return
  facts.add('file', base)
  facts.add('script', 'writes')
  if (isCode(base)) facts.add('script', 'code')
  if (base === 'config' || /(?:^|\/)hooks\//.test(guess)) facts.add('script', 'git')
  const isBelow = facts.has('script', 'hidden') && !/^[~/$]/.test(guess)
  if (isStartup(guess, isBelow)) walk.refuse(REFUSED.startup, at)
  // A file without a dot in its name may be found as a program.
  if (facts.has('given', 'PATH') && !base.includes('.')) walk.refuse(REFUSED.found, at)
}

/** Whether a word names a file that may hold a value. */
export function isTold(word: Text | null, { facts }: Walk): boolean {
  if (word === null) return false
  const { path, guess } = word
  return isDevice(guess) || (path !== null && facts.matches('file', baseOf(path)))
}

/** Whether a path leads to what a process has open, whatever its name is. */
export function isDevice(path: string): boolean {
  return /^\/+(?:dev|proc)\/(?!null$)|(?:^|\/)(?:stdin|fd\/+\d+)$|(?:^|\/)\.\.(?:\/|$).*(?:dev|proc)/.test(path)
}

/** The name of a file, also behind `of=`. */
export function baseOf(path: string): string {
  return path.replace(/^.*[/=]/s, '')
}

const KEPT = /(?:^|\/)\.(?:cache|local\/(?:share|state)|string|tmp)\//
const DATA = /\.(?:md|txt|log|csv|tsv|html|json|jsonl|db|sqlite|out|tmp)$/
/** Of these, what looks like data says what is run. */
const ACTING =
  /(?:^|\/)\.(?:git|ssh|config|claude|codex|gemini|cursor|vscode|idea|devcontainer|zed)\/|(?:^|\/)\.(?:mcp|[\w-]*rc)\.json$/

/** Whether a path leads into a hidden folder. */
export function isHidden(path: string): boolean {
  return /(?:^|\/)\.[^./]/.test(path) && !KEPT.test(`${path}/`)
}

/** Hidden files are what shells and programs begin with (`.profile`, `.git/config`), unless they are plainly data. */
function isStartup(path: string, isBelow: boolean): boolean {
  const isData = DATA.test(path) && !ACTING.test(path)
  return (isHidden(path) || isBelow) && !isData
}

/** Whether an interpreter or a tool would take a file of this name for code, even if nobody names it. */
function isCode(base: string): boolean {
  return (
    /\.(?:py|pth|[cm]?[jt]sx?|sh|bash|zsh|rb|p[lm]|php|lua|[rR]|jar|class|so|dylib|node|mk|gradle)$/.test(base) ||
    /^(?:package\.json|(?:pyproject|Cargo)\.toml|[A-Z]\w*file|deno\.jsonc?|tsconfig\.json)$/.test(base)
  )
}
