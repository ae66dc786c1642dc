interface Synonym {
  readonly names: readonly string[]
  readonly purpose: string
  /** What does it here: a command without its slash. */
  readonly command: string
  /** What stands behind it, where what was typed cannot. */
  readonly argument?: string
}

/** What shells, editors and other programs call what has another name here. */
const SYNONYMS: readonly Synonym[] = [
  {
    names: ['cat', 'read', 'view', 'show', 'less', 'more', 'head', 'tail', 'type', 'print'],
    purpose: 'To read a file or a page',
    command: 'open',
    argument: 'PATH',
  },
  {
    names: ['grep', 'search', 'rg', 'ag', 'ack', 'egrep', 'lookup'],
    purpose: 'To search files',
    command: 'find',
    argument: 'TEXT',
  },
  {
    names: ['vim', 'vi', 'nano', 'emacs', 'code', 'modify', 'change'],
    purpose: 'To see a file with line numbers, or change it',
    command: 'edit',
    argument: 'PATH',
  },
  {
    names: ['sed', 'sub', 'substitute', 'patch', 'str_replace'],
    purpose: 'To replace text in a file',
    command: 'replace',
    argument: 'PATH',
  },
  {
    names: ['create', 'new', 'touch', 'save'],
    purpose: 'To write a file, with its text on the next lines',
    command: 'write',
    argument: 'PATH',
  },
  { names: ['dir', 'list', 'tree', 'll', 'files'], purpose: 'To list a folder', command: 'ls', argument: '' },
  {
    names: ['curl', 'wget', 'fetch', 'browse', 'goto', 'visit'],
    purpose: 'To open a web page',
    command: 'open',
    argument: 'https://…',
  },
  { names: ['pwd', 'status', 'whoami', 'where', 'version'], purpose: 'To see where you are', command: 'info' },
  { names: ['revert', 'rollback'], purpose: 'To take back the last edit', command: 'undo' },
  { names: ['reload'], purpose: 'To load the open document again', command: 'refresh' },
  {
    names: ['next', 'prev', 'previous', 'page', 'pages'],
    purpose: 'To see another page of a long document',
    command: 'open --page 2',
  },
  { names: ['menu', 'links'], purpose: 'To see where the open document leads', command: 'nav' },
  { names: ['outline', 'toc', 'headings'], purpose: 'To see the headings of a file', command: 'open PATH --outline' },
  { names: ['call', 'actions'], purpose: 'To run an action', command: 'act', argument: 'NAME' },
  { names: ['env', 'vars', 'export', 'let'], purpose: 'To see or set variables', command: 'set' },
  { names: ['inbox', 'messages', 'mail'], purpose: 'To see what arrived', command: 'events' },
  { names: ['tabs', 'ps'], purpose: 'To see your topics', command: 'topics' },
  { names: ['apps'], purpose: 'To see what is installed', command: 'open app' },
  { names: ['tools'], purpose: 'To see what is installed', command: 'open tool' },
  { names: ['agents', 'agent'], purpose: 'To see the agents', command: 'open agent' },
  { names: ['h', '?', 'man', 'commands', 'usage'], purpose: 'To see the commands', command: 'help' },
  {
    names: ['quit', 'exit', 'q', 'bye', 'logout', 'leave'],
    purpose: 'A prompt is left with Ctrl-D; to end the session of this topic',
    command: 'close',
  },
]

/** What is done by programs: a shell has them. */
const PROGRAMS: ReadonlySet<string> = new Set(
  'rm delete del remove mv move rename cp copy mkdir rmdir ln chmod diff sort wc awk echo git npm node python make docker run sh bash shell cmd'.split(
    ' ',
  ),
)
/** Those are not themselves the programs' names. */
const SPELLED: ReadonlyMap<string, string> = new Map([
  ['delete', 'rm'],
  ['del', 'rm'],
  ['remove', 'rm'],
  ['move', 'mv'],
  ['rename', 'mv'],
  ['copy', 'cp'],
  ['run', ''],
  ['sh', ''],
  ['bash', ''],
  ['shell', ''],
  ['cmd', ''],
])

/** Those that mean a command of ours: a name that is only like that of a program means none. */
export const MEANT_NAMES: readonly string[] = SYNONYMS.flatMap(({ names }) => names)

/** All of them, for whoever looks them over. */
export const SYNONYM_NAMES: readonly string[] = [...PROGRAMS, ...MEANT_NAMES]

/** What was probably meant by the name of no command that is known elsewhere; null for any other. */
export function synonymHint(name: string, rest: string, slash: string): string | null {
  const called = name.toLowerCase()
  if (called === 'cd') return 'Paths start where the caller is; what keeps a folder is a shell, in a topic bash:NAME'
  if (PROGRAMS.has(called)) {
    const words = [SPELLED.get(called) ?? called, plain(rest) ?? '…'].filter((word) => word !== '')
    return `To run a program: ${slash}exec ${words.join(' ') || 'COMMAND'}`
  }
  const synonym = SYNONYMS.find(({ names }) => names.includes(called))
  if (synonym === undefined) return null
  const { purpose, command, argument } = synonym
  const given = argument === undefined ? '' : plain(rest) || argument
  return `${purpose}: ${slash}${command}${given === '' ? '' : ` ${given}`}`
}

/** What was typed behind it, where that can stand behind another name, too: words, and no flags. Null: it cannot. */
function plain(rest: string): string | null {
  return /^(?!.*(?:^|\s)-)[\w./*~:# -]{0,60}$/.test(rest.trim()) ? rest.trim() : null
}
