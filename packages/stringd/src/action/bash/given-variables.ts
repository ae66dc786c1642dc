/** What bash sets itself, and what every process has: these are no variables of the document. */
const OWN = new Set(
  (
    'HOME PWD OLDPWD PATH USER LOGNAME SHELL TMPDIR LANG TERM TZ UID EUID PPID RANDOM SRANDOM SECONDS LINENO HOSTNAME ' +
    'IFS REPLY OPTARG OPTIND PIPESTATUS FUNCNAME BASH BASHPID BASH_VERSION BASH_REMATCH EPOCHSECONDS EPOCHREALTIME ARGS'
  ).split(' '),
)

/** These act before the first line of a script, or are ours: no document decides what they are. */
const BEFORE = /^(?:STRING_|BASH|LD_|DYLD_|SHELLOPTS$)/

/** Every command has it. */
export function isGiven(name: string): boolean {
  return OWN.has(name) || BEFORE.test(name)
}

/** What to write where no command reads it, and so nobody has it. */
export function insteadOfGiven(name: string): string {
  if (name === 'HOME') return "Write $STRING_HOME, which is the agent's home"
  if (name === 'PWD') return 'Write $STRING_CWD, which is the folder of the caller'
  return `Let a command read it: CLI program "$${name}"`
}
