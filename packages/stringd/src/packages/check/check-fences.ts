import type { Document } from '../../document/document.ts'
import type { PackageProblem } from './package-problem.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\r\n]*)/
const ACTION = /^act\.[a-z][a-z0-9_-]*(?:\.response)?$/
const ALIKE = /^(?:acts?|actions?|atc|cat|ac|aact|actt)(?:[.:\s_-]+)([\w.-]+(?:[ \t]+[\w.-]+)*)/i

const NAMELESS = /^act(?:ion)?[.:]$/i

type Found = Omit<PackageProblem, 'file'>

interface Open {
  readonly fence: string
  readonly word: string
  readonly line: number
  /** It was said already that it goes on too far. */
  isTold: boolean
}

/** Fenced blocks that look like actions and are code to be read: by their names, or because the one before is not closed. */
export function alikeFences({ text }: Document): Found[] {
  let open: Open | null = null
  return text.split('\n').flatMap((written, index): Found[] => {
    const [, fence = '', info = ''] = FENCE.exec(written) ?? []
    const [word, line] = [info.trim(), index + 1]
    if (fence === '') return []
    if (open === null) {
      open = { fence, word, line, isTold: false }
      if (NAMELESS.test(word)) return [nameless(word, line)]
      const [, name] = ACTION.test(word) ? [] : (ALIKE.exec(word) ?? [])
      return name === undefined ? [] : [alike(word, name, line)]
    }
    if (!fence.startsWith(open.fence)) return []
    // Of an action that swallows another the document itself tells.
    if (word !== '' && (!ACTION.test(word) || ACTION.test(open.word) || open.isTold)) return []
    if (word !== '') {
      open.isTold = true
      return [swallowed(open, word)]
    }
    open = null
    return []
  })
}

function nameless(word: string, line: number): Found {
  return { line, problem: `The block ${word} is no action: it has no name`, next: 'Write act.NAME, as in act.list' }
}

function alike(word: string, name: string, line: number): Found {
  const [id = '', part] = name.toLowerCase().replace(/\s+/g, '_').split('.')
  const meant = part === undefined ? `act.${id}` : `act.${id}.response`
  return { line, problem: `The block ${word} is no action, but looks like one`, next: `Did you mean ${meant}?` }
}

function swallowed({ fence, word, line }: Open, action: string): Found {
  return {
    line,
    problem: `The block ${fence}${word} is not closed before ${action} begins, which is no action like this`,
    next: `Write ${fence} alone on a line where it ends; to show how an action is written, make both its fences longer`,
  }
}
