import { uncoloured } from '@string-os/protocol'

/** How a variable that holds a setting is written, and little else: `NEWS_API_KEY`, `DATABASE_URL`, `TOKEN`. */
const NAME = '(?:[A-Z][A-Z0-9]*_[A-Z0-9_]*|[A-Z0-9]*(?:KEY|TOKEN|SECRET|PASSWORD))'

/** What a program says of one that it lacks, beside its name. */
const LACKS = [
  '[Nn]ot (?:set|defined|found|provided)',
  '[Uu]nset',
  '[Ss]et(?:ting)?',
  '[Mm]issing',
  '[Rr]equire[sd]?',
  '[Nn]eeds?',
  '[Uu]ndefined',
  '[Uu]nbound',
  '[Ee]mpty',
  '[Ee]xport',
  'KeyError',
  '[Ee]nv(?:ironment)? var\\w*',
].join('|')

/** What may stand between the two. */
const BETWEEN = '(?:\\W{1,4}(?:the|an?|is|was|are|must|be|your|in|for|of|or|null|parameter|value|key)\\b){0,4}\\W{1,4}'

const ASKED = new RegExp(`\\b(${NAME})\\b(?=${BETWEEN}(?:${LACKS})\\b)|\\b(?:${LACKS})${BETWEEN}(${NAME})\\b`, 'g')

/** The variables of its environment that a program says it lacks, by what it wrote on standard error; those with AGENT_ are not for people to set. */
export function askedVariables(stderr: string): string[] {
  const found = uncoloured(stderr)
    .split('\n')
    .flatMap((line) => [...line.matchAll(ASKED)].flatMap(([, before, behind]) => before ?? behind ?? []))
  return [...new Set(found)].filter((name) => !name.startsWith('AGENT_'))
}
