import { inCode, REFUSED } from '../know/refusal.ts'
import { known, quote, type Text } from '../know/text.ts'
import type { Input, Walk } from '../write/walk.ts'
import { type Call, codeFile, holdsInput, type Judged, judged, type Rule, refused } from './call.ts'
import { PYTHON_RUNNERS } from './programs.ts'

interface Language {
  /** Options that stand alone. */
  readonly flags: RegExp
  /** Options behind which the code stands. */
  readonly code: RegExp
  /** What may stand behind the code: words as they come, words behind `--`, or none that hold a value. */
  readonly behind: 'words' | 'dashes' | 'none'
  /** A word that stands before the name of the file, as in `deno run`. */
  readonly verb?: string
}

const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/^(?:python|pypy)[\d.]*$/, { flags: /^-[uBEsSIOq]+$/, code: /^-[uBEsSIOq]*c$/, behind: 'words' }],
  [
    /^node$/,
    {
      flags: /^--(?:no-warnings|no-deprecation|enable-source-maps|input-type=\w+)$/,
      code: /^(?:-e|-p|-pe|--eval|--print)$/,
      behind: 'dashes',
    },
  ],
  [/^bun$/, { flags: /^(?!)$/, code: /^(?!)$/, behind: 'none', verb: 'run' }],
  [
    /^deno$/,
    { flags: /^(?:-A|--allow-[a-z]+(?:=[\w.,:/-]+)?|--no-prompt|-q)$/, code: /^(?!)$/, behind: 'none', verb: 'run' },
  ],
  [/^(?:tsx|ts-node)$/, { flags: /^(?!)$/, code: /^(?!)$/, behind: 'none' }],
  // <> opens what it is given, and a name that ends with | is a command to it.
  [/^perl[\d.]*$/, { flags: /^-[wlanps0]+$/, code: /^-[wlanps0]*[eE]$/, behind: 'none' }],
  [/^ruby[\d.]*$/, { flags: /^-[wlanps]+$/, code: /^-[wlanps]*e$/, behind: 'none' }],
  [/^php[\d.]*$/, { flags: /^-[nq]+$/, code: /^-r$/, behind: 'none' }],
  [/^lua(?:jit)?[\d.]*$/, { flags: /^(?!)$/, code: /^-e$/, behind: 'none' }],
  [/^Rscript$/, { flags: /^--(?:vanilla|no-save|no-restore|slave|quiet)$/, code: /^-e$/, behind: 'none' }],
  [/^java$/, { flags: /^(?:-X(?:mx|ms)\d+[kmgKMG]|-D[\w.]+=\w*|-jar)$/, code: /^(?!)$/, behind: 'none' }],
]

const SHELLS = /^(?:sh|bash|dash|ash)$/

/** What a shell or an interpreter runs is written out in the script, or in a file that the script names. */
export function interpreterRule(name: string): Rule | null {
  if (SHELLS.test(name)) return shell
  const [, language] = LANGUAGES.find(([names]) => names.test(name)) ?? []
  return language === undefined ? null : (call, walk) => interpret(call, language, walk)
}

function interpret(call: Call, { flags, code, behind, verb }: Language, walk: Walk): Judged {
  walk.facts.add('script', 'own')
  if (walk.facts.has('script', 'code')) return refused(call, walk, REFUSED.written)
  const { words } = call
  let at = words[0]?.value === verb && verb !== undefined ? 1 : 0
  while (at < words.length && flags.test(words[at]?.value ?? '')) at += 1
  const word = words[at]
  const rest = words.slice(at + 1)
  if (word === undefined || word.value === '-') return fromInput(call, walk)
  if (word.value === '-m' && flags.test('-u')) return module(call, rest, walk)
  if (code.test(word.value ?? '')) {
    const [text, ...others] = rest
    if (text === undefined || text.value === null) return refused(call, walk, inCode(call.name))
    const isFree = behind === 'words' || (behind === 'dashes' && others[0]?.value === '--')
    return isFree || !others.some(({ holds, value, isOne }) => holds || (value === null && !isOne))
      ? judged(call, true)
      : refused(call, walk, REFUSED.codeArguments)
  }
  // A bare word may be a command of the interpreter itself, as in `deno eval`.
  const isFile = /[./]/.test(word.path ?? '') || call.name === 'java'
  if (word.start.startsWith('-') || word.holds || !isFile) return refused(call, walk, inCode(call.name))
  return judged(call, true, codeFile(word, call, walk))
}

/** The program comes by its input: a here-document that holds no value. */
function fromInput(call: Call, walk: Walk): Judged {
  const { document } = call
  return document === null || document.holds ? refused(call, walk, REFUSED.codeInput) : judged(call, true)
}

function module(call: Call, [name]: readonly Text[], walk: Walk): Judged {
  const value = name?.value ?? null
  if (value === null || PYTHON_RUNNERS.has(value.split('.')[0] ?? '')) return refused(call, walk, REFUSED.code)
  return judged(call, true)
}

/** The code of a shell is a script like the one around it: it is looked at in the same way. */
function shell(call: Call, walk: Walk): Judged {
  walk.facts.add('script', 'own')
  if (walk.facts.has('script', 'code')) return refused(call, walk, REFUSED.written)
  const { words, document, input, at: place } = call
  const isBash = call.name === 'bash'
  // What the shell reads, its commands may read.
  const inner: Input = holdsInput(input) || document?.holds === true ? 'piped' : input
  let at = 0
  while (/^-[eux]+$|^--(?:norc|noprofile)$/.test(words[at]?.value ?? '')) at += 1
  if (/^-[eux]*o$/.test(words[at]?.value ?? '') && words[at + 1]?.value === 'pipefail') at += 2
  const word = words[at]
  if (/^-[euxl]*c$/.test(word?.value ?? '')) {
    const code = words[at + 1]
    // Behind -c more options may follow.
    if (code === undefined || code.value === null || /^[-+]/.test(code.value)) return refused(call, walk, REFUSED.code)
    hand(words.slice(at + 2), walk)
    const written = known(code.value, quote(walk.code({ text: code.value, isBash, input: inner, at: place }) ?? ''))
    return { words: words.with(at + 1, written), runs: [], isFilter: true }
  }
  if (word === undefined || word.value === '-s') {
    if (document === null || document.value === null) return refused(call, walk, REFUSED.codeInput)
    const rest = words.slice(at + 1)
    if (rest.some(({ holds }) => holds) && rest[0]?.value !== '--') return refused(call, walk, REFUSED.code)
    hand(rest, walk)
    const written = walk.code({ text: document.value, isBash, input: 'own', at: place }) ?? ''
    return { ...judged(call, true), document: known(document.value, quote(written)) }
  }
  if (word.start.startsWith('-') || word.start.startsWith('+') || word.holds) return refused(call, walk, REFUSED.code)
  return judged(call, true, codeFile(word, call, walk))
}

/** What stands behind the code are its parameters. */
function hand(words: readonly Text[], { facts }: Walk): void {
  if (words.some(({ holds }) => holds)) facts.add('holds', '@')
}
