const VALUE_BEFORE = /[\w)\]"$.]\s*$/
const WORDS_BEFORE = /\b(?:return|print|printf|in|else|do|getline)\s*$/

/** The program of awk without its texts, patterns and comments: what is left is what it does. */
export function awkCode(program: string): string {
  let code = ''
  let at = 0
  while (at < program.length) {
    const rest = program.slice(at)
    const [skipped] = skippedAt(rest, code) ?? ['']
    if (skipped !== '') code += '""'
    else code += rest[0]
    at += skipped.length || 1
  }
  return code
}

/** A slash behind a value divides; elsewhere it begins a pattern. */
function skippedAt(rest: string, code: string): RegExpExecArray | null {
  if (rest.startsWith('"')) return /^"(?:[^"\\]|\\.)*"/s.exec(rest)
  if (rest.startsWith('#')) return /^#[^\n]*/.exec(rest)
  const line = code.slice(code.lastIndexOf('\n') + 1)
  const divides = VALUE_BEFORE.test(line) && !WORDS_BEFORE.test(line)
  return rest.startsWith('/') && !divides ? /^\/(?:\[\]?[^\]\n]*\]|[^/\\\n[]|\\.)*\//.exec(rest) : null
}
