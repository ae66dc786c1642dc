/**
 * What a shell loads. Each asks `string __complete -- WORD…` and shows its lines, `WORD<Tab>ABOUT`; `:file` and `:folder`
 * are the shell's own to complete.
 */
export const SCRIPTS = {
  bash: `# Completion of string and strg for bash.
_string() {
  local i n=0 word before rest=$COMP_LINE cur prefix item about words
  words=()
  # Bash splits words at : and =, which belong to them here.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    before=\${rest%%"$word"*}
    [[ -z $word ]] && before=$rest
    if ((i > 0)) && [[ -z $before ]]; then
      words[n - 1]+=$word
    else
      words[n]=$word
      n=$((n + 1))
    fi
    rest=\${rest#"$before"}
    rest=\${rest#"$word"}
  done
  cur=\${words[n - 1]}
  prefix=\${cur%"\${cur##*[:=]}"}
  # In quotes it does not, and puts what is offered behind the quote.
  [[ $cur == [\\'\\"]* ]] && prefix=
  COMPREPLY=()
  while IFS=$'\\t' read -r item about; do
    case $item in
      :file | :folder)
        compopt -o filenames 2>/dev/null
        cur=\${cur#"$prefix"}
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
          if [[ $item == :file ]]; then compgen -f -- "$cur"; else compgen -d -- "$cur"; fi
        )
        ;;
      *)
        COMPREPLY+=("\${item#"$prefix"}")
        case $item in */ | *: | *=) compopt -o nospace 2>/dev/null ;; esac
        ;;
    esac
  done < <("\${words[0]}" __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o nosort -F _string string strg 2>/dev/null || complete -F _string string strg
`,
  zsh: `#compdef string strg
# Completion of string and strg for zsh.
_string() {
  local line item about
  local -a items open
  for line in "\${(@f)$(\${words[1]} __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    item=\${line%%$'\\t'*}
    about=\${line#*$'\\t'}
    about=\${about:+:$about}
    case $item in
      '') ;;
      :file) _files ;;
      :folder) _files -/ ;;
      */|*:|*=) open+=("\${item//:/\\\\:}$about") ;;
      *) items+=("\${item//:/\\\\:}$about") ;;
    esac
  done
  (( $#items )) && _describe -V string items
  (( $#open )) && _describe -V string open -S ''
  return 0
}
if [[ $funcstack[1] == _string ]]; then
  _string "$@"
else
  # A zsh that nobody has set up completes nothing yet.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
  compdef _string string strg
fi
`,
  // Its own string is a builtin, which must keep its completion.
  fish: `# Completion of strg for fish, where string is a builtin.
function __strg_complete
  set -l typed (commandline -opc)
  set -l current (commandline -ct)
  set -e typed[1]
  for line in (command strg __complete -- $typed "$current" 2>/dev/null)
    switch $line
      case ':file'
        __fish_complete_path "$current"
      case ':folder'
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c strg -f -k -a '(__strg_complete)'
`,
} as const

export type Shell = keyof typeof SCRIPTS

export const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']
