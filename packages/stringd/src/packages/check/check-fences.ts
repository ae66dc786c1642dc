import type { Document } from '../../document/document.ts'
import type { PackageProblem } from './package-problem.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\r\n]*)/
const ACTION = /^act\.[a-z][a-z0-9_-]*(?:\.response)?$/
const ALIKE = /^(?:acts?|actions?|atc|cat|ac|aact|actt)(?:[.:\s_-]+)([\w.-]+)/i

/** Fenced blocks that look like actions and are code to be read. */
export function alikeFences({ text }: Document): Omit<PackageProblem, 'file'>[] {
  let open: string | null = null
  return text.split('\n').flatMap((line, index) => {
    const [, fence = '', info = ''] = FENCE.exec(line) ?? []
    const isEnd = open !== null && fence.startsWith(open) && info.trim() === ''
    const begins = open === null && fence !== ''
    if (isEnd) open = null
    else if (begins) open = fence
    const word = info.trim()
    const [, name] = begins && !ACTION.test(word) ? (ALIKE.exec(word) ?? []) : []
    return name === undefined ? [] : [alike(word, name, index + 1)]
  })
}

function alike(word: string, name: string, line: number): Omit<PackageProblem, 'file'> {
  const [id = '', part] = name.toLowerCase().split('.')
  const meant = part === undefined ? `act.${id}` : `act.${id}.response`
  return { line, problem: `The block ${word} is no action, but looks like one`, next: `Did you mean ${meant}?` }
}
