import { PAGER_HOOKS } from './pager-script.ts'
import { quoted } from './quoted.ts'

/** What a bash topic reads last: hooks that tell begin and end of a command by marks that nothing else prints. */
export function initScript(nonce: string, inputPath: string, readRc: boolean): string {
  const rc = readRc ? '[ -r ~/.bashrc ] && . ~/.bashrc\n' : ''
  // What the daemon itself was started with is not the shell's; 255 is bash's own. `$(<file)` would start a process for
  // each command. Whoever typed lines that no program read is told of an end after them: bash reads them next. The prompt tells an end that nothing else told: that of a command which was interrupted.
  // An end of input that no program has read is not meant for the shell. What bash says of jobs at its prompt would
  // come after the end; that one runs was said when it began. Every command waits for what stands in __string_end, where each test is a few µs:
  // one tells most shells, whose options are still those with which they began and which have no jobs.
  // A line that bash reads by itself has no end but the prompt's. A string that somebody assigns is the first element of what runs
  // there, so that the hook is another one, and comes back where it is missing; before 5.1 bash runs none but the first. PS1 before such a line is no output, nor is what bash says to an end of
  // input: they lie between marks. There the status goes on, which no trap takes for a failure where `&& :` stands behind it.
  // After a command of its own bash would tell of jobs; after one whose output it takes it does not.
  return `for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  case $fd in 0 | 1 | 2 | 255 | '*') ;; *) eval "exec $fd>&-" ;; esac
done
unset fd
${rc}
set +o history
stty -echo 2>/dev/null
PS1='' PS2='' IGNOREEOF=3
__string_take() {
  if [ "$#" = 0 ]; then
    IFS= builtin read -r -d '' __string_input <${quoted(inputPath)} || builtin :
  else
    __string_input=$1
  fi
  __string_told=
}
__string_begin() {
  __string_take "$@"
  builtin printf '\\033]7771;${nonce};begin\\007'
}
__string_tty() { builtin : "$(builtin command stty "$@" 2>&1)"; }
__string_was() { return "$__string_status"; }
__string_end() {
  builtin read -t 0 && { __string_status=$1; __string_hook; builtin return "$1"; }
  __string_status=$1 __string_told=1
  case $SHELLOPTS\${PS0-}\${PS1-}\${!-}$__string_paged\${PROMPT_COMMAND[*]-} in
    "$__string_plain")
      builtin printf '\\033]7771;${nonce};end;%s;bare;;%s\\007' "$1" "$PWD"
      builtin return ;;
  esac
  __string_hook
  case \${PS0-} in *"$__string_read") __string_let PS0 "\${PS0%"$__string_read"}" ;; esac
  [[ -z \${!-}$__string_paged ]] || __string_tidy
  if [[ -o emacs || -o vi || -o xtrace || -o verbose ]]; then
    builtin printf '\\033]7771;${nonce};end;%s;;;%s\\007' "$1" "$PWD"
  elif [[ \${PS0-}\${PS1-}\${PROMPT_COMMAND[*]-} = '__string_prompt;' ]]; then
    builtin printf '\\033]7771;${nonce};end;%s;bare;%s;%s\\007' "$1" "\${!-}" "$PWD"
  elif [[ $__string_slot != 0 && -z \${PS0-} && -n \${PS1-} ]]; then
    builtin printf '\\033]7771;${nonce};end;%s;asks;;%s\\007' "$1" "$PWD"
  else
    builtin printf '\\033]7771;${nonce};end;%s;;;%s\\007' "$1" "$PWD"
  fi
}
__string_tidy() {
  [ -z "\${!-}" ] || { builtin jobs -rn >/dev/null; builtin jobs -n; } || builtin :
  [ -z "$__string_paged" ] || __string_unpage
}
__string_prompt() {
  case $__string_told in '') __string_end "$?" ;; esac
  case $__string_told in '') __string_hide ;; esac
  case \${PS1-} in '' | *'$__string_shown') ;; *) __string_let PS1 "$PS1"'$__string_shown' ;; esac
  __string_told=
}
__string_let() { builtin printf -v "$1" %s "$2" 2>/dev/null || builtin :; }
__string_hook() {
  case \${PROMPT_COMMAND[*]-} in
    *__string_prompt*) ;;
    *) __string_let "PROMPT_COMMAND[$__string_slot]" "__string_prompt;\${PROMPT_COMMAND[__string_slot]-}" ;;
  esac
}
__string_hide() {
  __string_let PS0 "\${PS0+\${PS0%"$__string_read"}}$__string_read"
  case \${PS0-} in *"$__string_read") builtin printf '\\033]7771;${nonce};prompt\\007' ;; esac
}
${PAGER_HOOKS}__string_told= __string_status=0
__string_read='\\033]7771;${nonce};read\\007' __string_shown=$'\\033]7771;${nonce};shown\\007' __string_slot=7771 __string_plain=
[[ \${BASH_VERSINFO[0]}.\${BASH_VERSINFO[1]} = @([0-4].*|5.0) ]] && __string_slot=0
unset -v PROMPT_COMMAND
__string_hook
[[ -o emacs || -o vi || -o xtrace || -o verbose ]] || __string_plain="$SHELLOPTS\${PROMPT_COMMAND[*]}"
`
}

/** How a shell was left. */
export interface LeftState {
  readonly status: number
  readonly isStill: boolean
}

/** What is typed before a line: from now on the terminal shows what is typed, or does not. */
export function echoLine(isShown: boolean): string {
  return ` __string_tty ${isShown ? 'echo -echoctl' : '-echo'};`
}

/** Tells the end of what never began. */
export const END_LINE = ' __string_end "$?"\n'

/** Enter alone: bash tells of its jobs, and the status stays. */
export function enterLine(isStill: boolean): string {
  return ` ${isStill ? '' : "__string_begin ''; "}__string_end "$__string_status"\n`
}

/**
 * A line that runs a script between its marks: the one given, or (null) the one in the file of its input. Within it `$?` is what it was
 * before. Most often that is 0 and the shell is still: then nothing has to be set, nor told at the beginning.
 */
export function runLine(script: string | null, { status, isStill }: LeftState): string {
  if (script !== null && isStill && status === 0) return ` eval ${quoted(script)}; __string_end "$?" && :\n`
  const take = isStill ? '__string_take' : '__string_begin'
  const begin = script === null ? take : `${take} ${quoted(script)}`
  // As a condition, the function that tells it can fail without a trap taking that for a failure. It does not come first, because
  // bash knows no `if` at the beginning of a line after a script with an open quote.
  return ` ${begin}; if __string_was; then eval "$__string_input"; else eval "$__string_input"; fi; __string_end "$?" && :\n`
}
