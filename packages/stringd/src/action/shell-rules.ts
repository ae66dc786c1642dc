/** A command as far as it has been read: its finished words, and the one that has begun. */
export interface ShellCommand {
  words: string[]
  /** Null between words. */
  word: string | null
  /** What stood right before the word that has begun. */
  before: string
  /** Where its first word begins. */
  start: number
  /** A word such as `nice` stood before it, which runs it. */
  isPrefixed: boolean
  /** One of the words is a program that runs code. */
  interprets: boolean
  /** Inside `[[ … ]]`. */
  inTest: boolean
  /** The variables that the word which has begun reads. */
  reads: string[]
  /** The words between the parentheses of `name=( … )` are values. */
  readonly isList: boolean
}

const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', 'time', '{', '}', 'fi', 'done'])
/** These run the command that follows them. */
const PREFIXES = new Set(['command', 'builtin', 'exec', 'env', 'nohup', 'nice', 'sudo', 'coproc'])
/** These read an argument as code. */
const EVALUATORS = new Set(['eval', 'let', 'source', '.', 'trap', 'alias', 'complete', 'compgen'])
/** These read an argument as a name, and evaluate the index that it may have. */
const NAMERS = new Set(['unset', 'read', 'mapfile', 'readarray', 'getopts', 'wait'])
const DECLARERS = new Set(['declare', 'typeset', 'local', 'readonly', 'export'])
const PROGRAMS = 'bash|sh|dash|ash|zsh|ksh|fish|python[\\d.]*|node|deno|bun|perl|ruby|php|lua'
const INTERPRETERS = new RegExp(`^(${PROGRAMS})$`)
/** A pipe into an interpreter that is given no file and no code: what comes through the pipe is run. */
const CODE_PIPE = new RegExp(
  String.raw`(?:\|&?|>\()\s*(?:(?:sudo|env|exec|command|nohup|nice)\s+|[A-Za-z_]\w*=[^\s|;&]*\s+)*(?:[^\s|;&()]*\/)?` +
    String.raw`(?:${PROGRAMS})(?=[\s|;&()<>]|$)` +
    String.raw`(?:\s+-[A-Za-z]*s(?=[\s|;&()<>]|$)|(?:[ \t]+-\S*)*[ \t]*(?=[\n|;&()<>#]|$))`,
  'g',
)
const CODE_FLAG = /^(-[A-Za-z]*[ceEr]|-p|--eval|--print|--command)$/
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/
/** What these hold, bash evaluates, or it decides what other programs do. */
const SPECIAL =
  /^(BASH.*|LD_.*|PS\d|ENV|PATH|IFS|SHELL.*|PROMPT_COMMAND|S?RANDOM|SECONDS|LINENO|OPT.*|HIST.*|EPOCH.*|.*IGNORE|FUNCNEST|TMOUT)$/

export function newCommand(isList: boolean, inTest = false): ShellCommand {
  return {
    words: [],
    word: null,
    before: '',
    start: 0,
    isPrefixed: false,
    interprets: false,
    inTest,
    reads: [],
    isList,
  }
}

/** Takes a finished word; what only stands in front of a command is forgotten. */
export function endWord(command: ShellCommand): void {
  const { word, words, before } = command
  command.word = null
  command.reads = []
  if (word === null || /[<>][&|]?$/.test(before)) return
  if (word === '[[' && words.length === 0) command.inTest = true
  if (word === ']]') command.inTest = false
  const isFront = KEYWORDS.has(word) || PREFIXES.has(word) || ASSIGNMENT.test(word)
  if (words.length === 0 && isFront) {
    command.isPrefixed ||= PREFIXES.has(word)
    return
  }
  if (word === '{' && words[0] === 'function') return void words.splice(0)
  words.push(word)
  command.interprets ||= isInterpreter(word)
}

export function endCommand(command: ShellCommand): void {
  endWord(command)
  command.words = []
  command.isPrefixed = false
  command.interprets = false
}

/** The part of a command's source that is evaluated: all of it, the variables among its names, or what is its program. */
export function evaluatedIn({ words, interprets, inTest }: ShellCommand, source: string): string {
  const [program] = words
  if (program === undefined) return ''
  if (inTest || interprets || program === '[[' || EVALUATORS.has(program)) return source
  const isNamed = NAMERS.has(program) || DECLARERS.has(program) || (isTester(program) && words.includes('-v'))
  if (isNamed) return source.match(/\$\{?[A-Za-z0-9_@*]+/g)?.join(' ') ?? ''
  return /^\S*\$\S*/.exec(source)?.[0] ?? ''
}

/** Whether a command gives names a meaning by which what they hold is evaluated. */
export function declaresIntegers({ words }: ShellCommand): boolean {
  return DECLARERS.has(words[0] ?? '') && words.some((word) => /^[-+][A-Za-z]*[in]/.test(word))
}

/** The names that will hold what stands here. */
export function receivers({ words, word }: ShellCommand): readonly string[] {
  const [program, name = ''] = words
  const [, assigned] = ASSIGNMENT.exec(word ?? '') ?? []
  if (assigned !== undefined) return [assigned]
  if (program === 'for' || program === 'select') return [name]
  if (program === 'printf' && name === '-v') return words.slice(2, 3)
  return program === 'set' ? ['$'] : []
}

/** The names that a command fills with what it reads. */
export function filledBy({ words }: ShellCommand): readonly string[] {
  return NAMERS.has(words[0] ?? '') ? [...words.slice(1), 'REPLY', 'MAPFILE'] : []
}

/** Whether what a command reads from its input is code; `line`: what stands behind it, and may take it on. */
export function readsCode({ words, interprets }: ShellCommand, line = ''): boolean {
  const [, next = ''] = /\|&?\s*(?:\S+=\S*\s+|(?:sudo|env|exec|command)\s+)*([^\s|;&]+)/.exec(line) ?? []
  return interprets || EVALUATORS.has(words[0] ?? '') || isInterpreter(next)
}

/** Where the last pipe of a script begins through which code is run; -1 when there is none. */
export function lastCodePipe(text: string): number {
  return [...text.matchAll(CODE_PIPE)].at(-1)?.index ?? -1
}

/** Why a value may not stand here: it would not be text but code, or decide what runs. */
export function fieldProblem(command: ShellCommand): string | null {
  const { words, before, inTest, isList } = command
  const word = command.word ?? ''
  // A variable that is empty leaves its place to the word behind it.
  const program = words.find((each) => each !== '') ?? words[0]
  if (inTest) return 'a field cannot stand in [[ … ]], which evaluates numbers; [ … ] does not'
  if (/^[A-Za-z_][A-Za-z0-9_]*\[[^\]]*$/.test(word) || (isList && /^\[[^\]]*$/.test(word)))
    return 'a field cannot be the index of an array, which is evaluated'
  if (/[<>]&$/.test(before)) return 'a field cannot stand behind >& or <&, where bash reads it twice'
  if (SPECIAL.test(ASSIGNMENT.exec(word)?.[1] ?? '')) return 'a field cannot be the value of a variable of the shell'
  if (before.endsWith('<<<') && readsCode(command)) return 'a field cannot stand in code'
  if (/[<>]\|?$/.test(before) || isList) return null
  if (program === undefined) return ASSIGNMENT.test(word) ? null : 'a field cannot be the program that runs'
  if (words[0] === '') return 'a field cannot be an argument of a program that a variable names'
  if (command.isPrefixed && !hasProgram(words))
    return 'a field cannot stand so close behind an option of nice, sudo and the like: it could be the program that runs'
  if (NAMERS.has(program)) return `a field cannot be an argument of ${program}, which evaluates it`
  if (DECLARERS.has(program) && (!ASSIGNMENT.test(word) || words.length > 1))
    return `a field can only be a value of ${program}, as ${program} name={field}`
  if (isTester(program) && words.at(-1) === '-v') return 'a field cannot be the name behind -v, which is evaluated'
  return codeProblem(command)
}

/** Why nothing that holds a value may stand here, not even the output of a command: it would be run. */
export function codeProblem({ words, interprets }: ShellCommand): string | null {
  const program = words.find((each) => each !== '') ?? ''
  if (EVALUATORS.has(program)) return `a field cannot be an argument of ${program}, which evaluates it`
  return interprets && isCode(words)
    ? 'a field cannot stand in code; hand it over behind the code, as an argument'
    : null
}

/** Whether a `case` has begun: the lone parentheses of its patterns would be taken for the end of `( … )`. */
export function isCase({ words }: ShellCommand, isLineEnd: boolean): boolean {
  if (words[0] === 'case' || (words.at(-3) === 'case' && words.at(-1) === 'in')) return true
  return isLineEnd && words.at(-2) === 'case'
}

/** Behind options, each of which may take a word, one more word is surely the program. */
function hasProgram(words: readonly string[]): boolean {
  let surplus = 0
  return words.some((word) => {
    surplus += word.startsWith('-') ? -1 : 1
    return surplus > 0
  })
}

/** These take a name behind -v, and evaluate the index that it may have. */
function isTester(program: string): boolean {
  return program === 'printf' || program === 'test' || program === '['
}

/** Whether the next word is the code of an interpreter: behind -c or its like, options and what may be nothing between. */
function isCode(words: readonly string[]): boolean {
  const options = words.slice(words.findLastIndex((word) => !/^[-+]|^$/.test(word)) + 1)
  return options.some((word) => CODE_FLAG.test(word))
}

function isInterpreter(program: string): boolean {
  return INTERPRETERS.test(program.replace(/^.*\//, ''))
}
