/** Why a template is refused, and what can be written in its place. */
export interface Refusal {
  readonly problem: string
  readonly instead: string
}

/** Spellings that messages recommend. Each of them is accepted: a test compiles them all. */
export const WRITE = {
  script: './my-script.sh {q}',
  argument: 'grep -- {q} notes.txt',
  variable: `Q={q} python3 -c "import os; print(os.environ['Q'])"`,
  handed: `bash -c 'echo "$1"' bash {q}`,
  file: 'cat < {q}',
  compare: '[ {q} = yes ]',
  greater: '[ {n} -gt 5 ]',
  sum: 'expr {n} + 1',
  loop: 'for i in $(seq {n}); do echo "$i"; done',
  choice: 'case {q} in a*) echo yes;; esac',
  substitution: 'echo "$(date) {q}"',
  quoted: 'x={q}; echo "$x"',
  format: "printf '%s\\n' {q}",
  assigned: 'query={q}; ./search.sh "$query"',
  filter: 'echo {q} | tr a-z A-Z',
  jq: `jq --arg q {q} '.[$q]' data.json`,
  awk: `awk -v q={q} '$1 == q' notes.txt`,
  line: `awk -v n={n} 'NR == n' notes.txt`,
  replaced: `awk -v q={q} '{ gsub(q, "new"); print }' notes.txt`,
  node: `node -e 'console.log(process.argv[1])' -- {q}`,
  sed: 'sed -n 5p -- {q}',
  dashes: 'sort -- {q}',
  git: 'git log -- {q}',
  kept: 'echo {q} > notes.txt',
  place: "find ./{q} -name '*.md'",
  entered: "cd -- {q} && find . -name '*.md'",
  named: 'find . -name {q}',
  started: 'convert ./{q} out.png',
  heredoc: 'cat <<EOF\n{q}\nEOF',
} as const

export type Spelling = keyof typeof WRITE

export function refusal(problem: string, ...spellings: Spelling[]): Refusal {
  const [first = 'argument', ...others] = spellings
  const examples = [first, ...others].map((each) => WRITE[each].replaceAll('\n', '⏎'))
  return { problem, instead: `Accepted: ${examples.join('  or  ')}` }
}

const SED =
  'a field cannot stand in a program of sed, which beside one has s, y, d, p, q, = and the like, each written out'

/** What bash would evaluate, or what is not known to be harmless. */
export const REFUSED = {
  arithmetic: refusal('a field cannot stand in arithmetic, which is evaluated', 'sum', 'greater', 'loop'),
  index: refusal('the index of an array is evaluated: beside fields it is a number, @ or *', 'quoted'),
  test: refusal('a field cannot stand in [[ … ]], which evaluates', 'compare', 'greater'),
  testOperator: refusal('this operator of [[ … ]] cannot stand beside a field', 'compare', 'greater'),
  pattern: refusal('a field cannot stand in a pattern of case', 'compare', 'choice'),
  expansion: refusal(`a field cannot stand in \${ … }`, 'quoted'),
  quotedExpansion: refusal('an expansion with quotes or commands inside cannot stand beside a field', 'quoted'),
  indirect: refusal(`\${!name} cannot stand beside a field: which variable it reads is not known`, 'quoted'),
  transform: refusal(`this \${name@…} cannot stand beside a field, for it may be evaluated`, 'quoted'),
  backticks: refusal('a field cannot stand between backticks', 'substitution'),
  ansi: refusal("a field cannot stand in $'…'", 'argument'),
  locale: refusal('$"…" cannot stand beside a field', 'argument'),
  glob: refusal('this pattern of file names cannot stand beside a field', 'argument'),
  braces: refusal('a field cannot stand in { , } or { .. }', 'argument'),
  output: refusal('>( … ) cannot stand beside a field', 'filter'),
  descriptor: refusal('a field cannot stand behind >& or <&, and no variable can name a descriptor beside one', 'file'),
  program: refusal('a field, or what is only known when it runs, cannot be the program', 'argument', 'assigned'),
  format: refusal('a field cannot be the format of printf, nor may that have %n', 'format'),
  operator: refusal('beside a field [ … ] and test take one comparison, of words in quotes', 'compare', 'greater'),
  name: refusal('beside fields a name is letters, digits and _', 'quoted'),
  element: refusal('an element of a list cannot begin with [ beside a field', 'quoted'),
  arrayValue: refusal('a list cannot be declared again with a field', 'quoted'),
  code: refusal('a field cannot stand in code', 'handed', 'variable'),
  codeInput: refusal(
    'what a shell or an interpreter runs is written out beside a field: a file, -c or a here-document',
    'handed',
    'variable',
  ),
  codeArguments: refusal('behind code this interpreter would read a field as an option', 'node', 'variable'),
  device: refusal('beside a field no program is read from a device', 'handed', 'variable'),
  written: refusal('it runs a file that a command with a field was told, and may hold what the field says', 'argument'),
  startup: refusal(
    'a hidden file may be one that a shell or a program begins with: a field is written to .md, .txt, .json and the like',
    'kept',
  ),
  found: refusal('beside PATH=… a field is not written to a file that could be found as a program', 'kept'),
  anywhere: refusal('it runs a file while a field says where to write, which may be that file', 'argument'),
  pipe: refusal(
    'what may hold a field is piped into plain filters, own scripts and interpreters with literal code',
    'filter',
    'variable',
  ),
  function: refusal('a function cannot have the name of a command that is known', 'quoted'),
  sed: refusal(SED, 'line', 'assigned'),
  sedReplaces: refusal(SED, 'replaced', 'assigned'),
  sedFile: refusal('sed would read a field as an option: it stands behind --', 'sed'),
  heredocEnd: refusal('this here-document cannot stand beside a field', 'heredoc'),
  find: refusal('find takes a field behind the beginning of its place, or behind -name and the like', 'place', 'named'),
  findPlace: refusal(
    'find would read a field as one of its options, such as -delete: it stands behind the beginning of a path, or behind -name and the like',
    'place',
    'entered',
    'named',
  ),
  duplicates: refusal('values are handed on too often to be followed', 'argument'),
} satisfies Record<string, Refusal>

/** What a field in the code of an interpreter is replaced with, the language that is written first. */
export function inCode(name: string): Refusal {
  const own: Spelling | null = /^(?:python|pypy)/.test(name) ? 'variable' : name === 'node' ? 'node' : null
  return own === null ? REFUSED.code : refusal(REFUSED.code.problem, own, own === 'node' ? 'variable' : 'handed')
}

/** What git does is said by its command. */
export const GIT_COMMAND = refusal(
  'the command of git is written out, and its options stand behind it: a field cannot say what git runs',
  'git',
)

export function runs(name: string): Refusal {
  const { problem, instead } = refusal(
    `a field cannot be an argument of ${name}, nor its input: it runs what it is given`,
    'script',
    'variable',
  )
  return { problem, instead: `${instead}. Where values may run as code: unsafe: true, indented below` }
}

/** A name in arithmetic: what it holds is evaluated. */
export function evaluated(name: string): Refusal {
  return refusal(`${name} may hold a field, or other text that is no number, and is evaluated`, 'sum', 'greater')
}

export function unnamed(what: string): Refusal {
  return refusal(`${what} cannot stand beside a field`, 'argument', 'variable')
}

export function variable(name: string): Refusal {
  return refusal(
    `a field cannot be the value of ${name}, by which programs or bash decide what to do`,
    'variable',
    'assigned',
  )
}

export function option(name: string): Refusal {
  return refusal(
    `${name} has options that run programs: a field, or a pattern of file names, stands behind --`,
    'dashes',
  )
}
