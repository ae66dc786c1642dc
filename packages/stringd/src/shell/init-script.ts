/** What a bash topic reads last: hooks that tell begin and end of a command by marks that nothing else prints. */
export function initScript(nonce: string, readRc: boolean): string {
  const rc = readRc ? '[ -r ~/.bashrc ] && . ~/.bashrc\n' : ''
  // What the daemon itself was started with is not the shell's; 255 is bash's own.
  return `for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  case $fd in 0 | 1 | 2 | 255 | '*') ;; *) eval "exec $fd>&-" ;; esac
done
unset fd
${rc}
set +o history
stty -echo 2>/dev/null
PS1='' PS2=''
__string_begin() { builtin printf '\\033]7771;${nonce};begin\\007'; }
__string_end() { local status=$?; builtin printf '\\033]7771;${nonce};end;%s;%s\\007' "$status" "$PWD"; return $status; }
PROMPT_COMMAND=__string_end
`
}

/** One line that runs the script in a file, between its marks. */
export function runLine(path: string): string {
  const quoted = `'${path.replaceAll("'", `'\\''`)}'`
  return ` __string_begin; eval "$(<${quoted})"; __string_end\n`
}
