import type { Walk } from '../write/walk.ts'
import { REFUSED, variable } from './refusal.ts'

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

/** What the loader and the programs that many scripts use take code, options or places of code from: all that begins so, … */
const CODE_FAMILIES = new RegExp(
  `^(?:${(
    'LD DYLD GIT NPM npm YARN yarn PERL PERL5 RUBY JAVA JDK GCONV SSH SUDO RSYNC TAR GREP MAKE CARGO RUSTC DOTNET CORECLR ' +
      'ELECTRON PIP UV SYSTEMD ANSIBLE LUA GEM BUNDLE PHP GHC JULIA DENO CGO'
  ).replaceAll(
    ' ',
    '|',
  )})_|^PYTHON[A-Z]|^(?:PERL5?|RUBY)(?:OPT|LIB|DB)|^MAKEF|^LESS(?:OPEN|CLOSE|KEY)|^MAN(?:PAGER|OPT)`,
)
/** … ends so, … */
const CODE_ENDS = /_(?:ASKPASS|RSH|PRELOAD|PAGER|EDITOR|SHELL|COMMAND|WRAPPER)$/
/** … or is called so. */
const CODE = new Set(
  (
    'PAGER EDITOR VISUAL BROWSER TERMINAL TERM TERMCAP TERMINFO LESS EXINIT VIMINIT GZIP BZIP XZ_OPT XZ_DEFAULTS NLSPATH ' +
    'CC CXX LD AR AS FC CPP CFLAGS CXXFLAGS LDFLAGS GOFLAGS GOPATH GOROOT CLASSPATH PHPRC MANPATH INFOPATH FPATH FPP ' +
    'LOCPATH CVS_RSH SVN_SSH HGEDITOR GROFF_COMMAND_PREFIX XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS ' +
    'TMPDIR TMP TEMP OPENSSL_CONF SSL_CERT_FILE PRINTER LPDEST NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE ' +
    'DOCKER_HOST DOCKER_CONFIG KUBECONFIG R_PROFILE R_ENVIRON R_LIBS ZIPOPT UNZIP TCLLIBPATH'
  ).split(' '),
)
/** Read by system programs, as text. */
const TEXT =
  /^(?:TZ|LANG|LANGUAGE|LC_\w+|COLUMNS|LINES|NO_COLOR|PG(?:HOST|PORT|USER|PASSWORD|DATABASE)|GH_(?:REPO|HOST)|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|AWS_(?:PROFILE|REGION|DEFAULT_REGION))$/

/** What a script gives to a name: a value of a field perhaps, a number perhaps, or a list. */
export interface Given {
  readonly holds: boolean
  readonly isNumber: boolean
  /** What it says, as far as that is known. */
  readonly guess?: string
}

/** Takes note of what a name is given, and refuses what must not be. */
export function giveName(name: string, { holds, isNumber, guess = '*' }: Given, at: number, walk: Walk): void {
  const { facts, marked } = walk
  if (!IDENTIFIER.test(name) || marked.isIn(name)) return walk.refuse(REFUSED.name, at)
  const isSettable = SETTABLE.has(name) || (COUNTERS.has(name) && isNumber)
  if (isOwn(name) && (holds || !isSettable)) return walk.refuse(variable(name), at)
  // With it an address of git may be a command.
  if (name === 'GIT_ALLOW_PROTOCOL') return walk.refuse(variable(name), at)
  if (holds && isCode(name, walk)) return walk.refuse(variable(name), at)
  facts.add('given', name)
  facts.addText(name, guess.length > 200 ? '*' : guess)
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
  if (TEXT.test(name)) return false
  if (CODE.has(name) || CODE_FAMILIES.test(name) || CODE_ENDS.test(name)) return true
  if (/[a-z]/.test(name) || facts.has('script', 'own')) return false
  return !new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_]|\\+?=)`).test(marked.text)
}
