import { REFUSED, variable } from './refusal.ts'
import type { Walk } from './walk.ts'

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The variables of bash's manual: it reads them, keeps them or evaluates what they are given. */
const OWN_PATTERN =
  /^(?:_|BASH\w*|COMP_\w+|COMPREPLY|COPROC|EPOCH\w+|HIST\w+|MAIL\w*|OPT\w+|PROMPT\w*|PS\d|READLINE_\w+|SHELL\w*|STRING_\w+)$/
const OWN = new Set(
  (
    'CHILD_MAX DIRSTACK EMACS ENV EUID EXECIGNORE FCEDIT FIGNORE FUNCNAME FUNCNEST GLOBIGNORE GLOBSORT GROUPS HOSTFILE ' +
    'HOSTNAME HOSTTYPE IFS IGNOREEOF INPUTRC INSIDE_EMACS LINENO MACHTYPE MAPFILE OLDPWD OSTYPE PIPESTATUS ' +
    'POSIXLY_CORRECT PPID PWD RANDOM SECONDS SHLVL SRANDOM TIMEFORMAT TMOUT UID auto_resume histchars CDPATH PATH HOME'
  ).split(' '),
)
/** Of these, what a script may set to something that holds no value; and what it may set to a number, which is evaluated. */
const SETTABLE = new Set('IFS PATH HOME CDPATH TIMEFORMAT HISTFILE MAPFILE REPLY SHELL'.split(' '))
const COUNTERS = new Set('SECONDS RANDOM OPTIND'.split(' '))

/** What the loader and programs that many scripts use take code, options or places of code from. */
const CODE_PATTERN =
  /^(?:LD|DYLD|GIT|NODE|NPM|npm|YARN|yarn|PERL5?|RUBY|JAVA|JDK|MALLOC|GCONV|LESS|MAN|SSH|SUDO|RSYNC|TAR|GREP|ZIP|UNZIP|MAKE|CARGO|RUSTC?|DOTNET|CORECLR|ELECTRON|DOCKER|KUBE|PIP|UV|SYSTEMD|GDB|LLDB|VIM|EMACS|TMUX|SCREEN|ANSIBLE|LUA|GEM|BUNDLE|PHP|GHC|JULIA|DENO|BUN|CGO|R)_\w*$|^(?:PYTHON|PERL5?|RUBY|LUA|TCL|LESS|MAKE|EX|JAVA)[A-Z]\w*$|_(?:ASKPASS|RSH|PRELOAD|PAGER|EDITOR|SHELL|COMMAND|WRAPPER)$/
const CODE = new Set(
  (
    'PAGER EDITOR VISUAL BROWSER TERMINAL TERM TERMCAP TERMINFO LESS EXINIT VIMINIT GZIP BZIP XZ_OPT XZ_DEFAULTS NLSPATH ' +
    'CC CXX LD AR AS FC CPP CFLAGS CXXFLAGS LDFLAGS GOFLAGS CLASSPATH MANPATH INFOPATH FPATH FPP LOCPATH JAVA_OPTS ' +
    'GOPATH GOROOT PHPRC MANPAGER MANOPT PRINTER LPDEST GROFF_COMMAND_PREFIX CVS_RSH SVN_SSH HGEDITOR R_PROFILE XDG_CONFIG_HOME XDG_DATA_DIRS ' +
    'XDG_CONFIG_DIRS XDG_DATA_HOME TMPDIR TMP TEMP NODE_OPTIONS OPENSSL_CONF SSL_CERT_FILE'
  ).split(' '),
)
/** Read by system programs, as text. */
const TEXT =
  /^(?:TZ|LANG|LANGUAGE|LC_\w+|COLUMNS|LINES|NO_COLOR|PG(?:HOST|PORT|USER|PASSWORD|DATABASE)|GH_(?:REPO|HOST)|AWS_(?:PROFILE|REGION|DEFAULT_REGION))$/

/** What a script gives to a name: a value of a field perhaps, a number perhaps, or a list. */
export interface Given {
  readonly holds: boolean
  readonly isNumber: boolean
}

/** Takes note of what a name is given, and refuses what must not be. */
export function giveName(name: string, { holds, isNumber }: Given, at: number, walk: Walk): void {
  const { facts, marked } = walk
  if (!IDENTIFIER.test(name) || marked.isIn(name)) return walk.refuse(REFUSED.name, at)
  const isSettable = SETTABLE.has(name) || (COUNTERS.has(name) && isNumber)
  if (isOwn(name) && (holds || !isSettable)) return walk.refuse(variable(name), at)
  if (holds && isCode(name, walk)) return walk.refuse(variable(name), at)
  facts.add('given', name)
  if (holds) {
    facts.add('holds', name)
    facts.add('script', 'holds')
  }
  if (!isNumber) facts.add('text', name)
}

export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name)
}

function isOwn(name: string): boolean {
  return OWN.has(name) || OWN_PATTERN.test(name)
}

/**
 * No list of the names that programs act upon is complete. By custom they are in capitals, so one in capitals may hold a
 * value only where the script itself reads it, or runs a program of its author, who knows what that reads.
 */
function isCode(name: string, { facts, marked }: Walk): boolean {
  if (CODE.has(name) || CODE_PATTERN.test(name)) return true
  if (/[a-z]/.test(name) || TEXT.test(name) || facts.has('script', 'own')) return false
  return !new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_]|\\+?=)`).test(marked.text)
}
