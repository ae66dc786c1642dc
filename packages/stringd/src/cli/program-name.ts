import { basename } from 'node:path'
import { shellWord } from '../doctor/shell-word.ts'

/** The second name is for shells that have a `string` of their own. */
const PROGRAM_NAMES = ['string', 'strg'] as const

export function isProgramName(word: string): boolean {
  return PROGRAM_NAMES.some((name) => name === word)
}

/** The name by which the program was called; any other than its own is taken for the first. */
export function programName(script: string): string {
  const called = basename(script).replace(/\.cjs$/, '')
  return PROGRAM_NAMES.find((name) => name === called) ?? 'string'
}

/** Texts name the program `string`; who called it otherwise is told what works there. */
export function asCalled(text: string, program: string): string {
  return program === 'string'
    ? text
    : text.replaceAll(/(?<![\w@./:-])string (?=[a-z-]|TOPIC|\[TOPIC|')/g, `${program} `)
}

/** What stands before a verb in a line to type, for whom it was asked. */
export function calledFor(agent: string | null, program: string): string {
  return agent === null ? program : `${program} --agent ${shellWord(agent)}`
}

/** A text of our own that tells what to type; not what a page, an agent or a command says. */
export function inOwnName(text: string): string {
  return asCalled(text, ownName())
}

/** As it was called by whoever reads what we say. */
export function ownName(): string {
  return programName(process.argv[1] ?? '')
}
