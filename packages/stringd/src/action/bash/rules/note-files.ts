import { baseOf, isDevice, noteTarget } from '../know/files.ts'
import { REFUSED } from '../know/refusal.ts'
import type { Text } from '../know/text.ts'
import type { Walk } from '../write/walk.ts'
import type { Call, Judged } from './call.ts'
import { NAMERS, UNPACKERS, WRITERS } from './programs.ts'

/** Files that a command with a value was told may hold it afterwards, and so may what commands make of them. */
export function noteFiles(call: Call, { runs }: Judged, holds: boolean, walk: Walk): void {
  const { name, words, at } = call
  const { facts } = walk
  if (holds) {
    for (const { guess, path } of words) {
      const base = baseOf(guess)
      const isName = !guess.startsWith('-') && !/^\**$/.test(base) && !isCode(guess)
      if (isName && !runs.includes(path ?? guess)) facts.add('file', base)
    }
    for (const word of writtenBy(call)) noteTarget(word, 'value', at, walk)
    if (unpacks(call)) facts.add('anywhere', `${at}`)
  }
  if (NAMERS.has(name) && words.some((word) => word.holds)) facts.add('script', 'names')
  for (const file of runs) {
    if (isDevice(file)) walk.refuse(REFUSED.device, at)
    if (isWritten(baseOf(file), walk)) walk.refuse(REFUSED.written, at)
    if (facts.writesAnywhere(at)) walk.refuse(REFUSED.anywhere, at)
  }
}

/** A word with code for a shell is no name of a file. */
function isCode(text: string): boolean {
  return /\s/.test(text) && /[;&|$"'`]/.test(text)
}

/** The words that say where a command writes to. */
function writtenBy({ name, words }: Call): readonly Text[] {
  if (name === 'tee' || name === 'dd') return words.filter(({ guess }) => !guess.startsWith('-'))
  if (WRITERS.has(name)) return words.slice(-1)
  return words.flatMap((word, at) => {
    const [, attached] = /^(?:-[oO]|--output(?:-document)?=)(.+)$/s.exec(word.guess) ?? []
    if (attached !== undefined) return [{ ...word, guess: attached }]
    return /^(?:-[a-zA-Z]*[oO]|--output(?:-document)?)$/.test(words[at - 1]?.value ?? '') ? [word] : []
  })
}

/** Whether a command makes files of which nobody has said the names. */
function unpacks({ name, words }: Call): boolean {
  const has = (option: RegExp): boolean => words.some(({ guess }) => option.test(guess))
  if (/^(?:bsd|g)?tar$/.test(name)) return words[0] !== undefined && has(/^-?[a-zA-Z]*x|^--(?:extract|get)$/)
  if (/^(?:gzip|bzip2|xz|zstd)$/.test(name)) return has(/^-\w*d|^--(?:decompress|uncompress)$/)
  // Behind > in a program of awk stands a file, or a number.
  if (name.endsWith('awk')) return has(/>/)
  return UNPACKERS.has(name)
}

/** Whether a file may hold a value: a command was told its name, or a variable that the script gives it says where to write. */
function isWritten(base: string, { facts, marked }: Walk): boolean {
  const isNamed = facts.has('script', 'somewhere') && marked.text.split(base).length > 2
  return isNamed || facts.matches('file', base) || facts.matches('target', base)
}
