/** What bash knows by itself. */
export const BASH_WORDS: readonly string[] = (
  'alias bg bind break builtin caller case cd command compgen complete continue declare dirs disown do done echo elif else enable ' +
  'esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd ' +
  'printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap true type ' +
  'typeset ulimit umask unalias unset until wait while'
).split(' ')

/** Names that a script makes known to its shell. */
export interface MadeNames {
  readonly commands: readonly string[]
  readonly variables: readonly string[]
}

/** Longer scripts are not looked at to their end. */
const LOOKED_AT = 20_000

/** Looked at as text: nothing is run to find out. */
export function namesMadeIn(text: string): MadeNames {
  const script = text.slice(0, LOOKED_AT)
  return {
    commands: [
      ...firsts(script, /(?:^|[\s;&|])alias\s+([\w.+-]+)=/g),
      ...firsts(script, /(?:^|[\s;&|])(?:function\s+)?([A-Za-z_][\w.-]*)\s*\(\)/g),
      ...firsts(script, /(?:^|[\s;&|])function\s+([A-Za-z_][\w.-]*)/g),
    ],
    variables: firsts(script, /(?:^|[;&|\n]|\b(?:export|declare|readonly|typeset) )[ \t]*([A-Za-z_]\w*)=/g),
  }
}

function firsts(script: string, pattern: RegExp): readonly string[] {
  return [...script.matchAll(pattern)].map(([, name = '']) => name)
}
