import { PAGER_NAMES, type Pagers } from '@string-os/protocol'
import { quoted } from './quoted.ts'

/**
 * Hooks for a line that a person typed at a terminal: until its end there are the given pagers, where the shell has none. None is
 * `cat`, with which shells start, or nothing. What the line itself assigned stays, and is from then on the shell's own.
 */
export const PAGER_HOOKS = `__string_paged= __string_chosen=' '
__string_pages() {
  local pair name now given
  __string_unpage
  for pair; do
    name=\${pair%%=*} given=\${pair#"\${pair%%=*}"} now=\${!name+=}\${!name-}
    case $__string_chosen in *" $name "*) builtin continue ;; esac
    case $name$now in
      *PAGER | *PAGER=cat | *LESS) ;;
      *LESS=*X*) given="$now -+X" ;;
      *) builtin continue ;;
    esac
    builtin printf -v "__string_before_$name" %s "$now"
    builtin printf -v "__string_given_$name" %s "$given"
    __string_paged+=" $name"
    __string_assign "$name" "$given" || builtin :
  done
}
__string_assign() {
  if [ -n "$2" ]; then builtin export "$1$2"; else builtin unset -v "$1"; fi 2>/dev/null
}
__string_unpage() {
  local name before given
  for name in ${PAGER_NAMES.join(' ')}; do
    case "$__string_paged " in *" $name "*) ;; *) builtin continue ;; esac
    before=__string_before_$name given=__string_given_$name
    if [ "\${!name+=}\${!name-}" = "\${!given}" ]; then
      __string_assign "$name" "\${!before}" || builtin :
    else
      __string_chosen+="$name "
    fi
  done
  __string_paged=
}
`

/** With `X` less stays among what was printed before, where its keys are nobody's: git and systemd ask for it when nobody says otherwise. */
const USUAL: Pagers = { LESS: 'FR', SYSTEMD_LESS: 'FRSMK' }

/** What is typed before the line that runs a script. */
export function pagerLine(pagers: Pagers): string {
  const words = PAGER_NAMES.map((name) => wordOf(name, pagers[name] ?? USUAL[name]))
  return ` __string_pages ${words.join(' ')};`
}

/** What is typed into a shell that has taken the place of one with pagers: it has what that one started with. */
export function unpagedLine(environment: Readonly<Record<string, string>>): string {
  const started = PAGER_NAMES.map((name) => [name, environment[name]] as const)
  return started
    .map(([name, value]) => (value === undefined ? ` unset -v ${name};` : ` export ${quoted(`${name}=${value}`)};`))
    .join('')
}

function wordOf(name: string, value: string | undefined): string {
  if (value === undefined) return name
  const isKept = name.endsWith('LESS') && value.includes('X')
  return quoted(`${name}=${value}${isKept ? ' -+X' : ''}`)
}
