const SECRET =
  'pass ?(?:word|phrase|code)|passwd|passwort|kennwort|mot de passe|contraseña|senha|пароль|\\bpin\\b|secret|token|api[ _-]?key'
const QUESTION = new RegExp(`(?:${SECRET})(?:.*[:?>])?$`, 'iu')
/** What turns the echo off in the script itself: `read -s`, `stty -echo`. */
const ECHO_OFF = /\bread\s+(?:\S+\s+)*?-[a-zA-Z]*s|\bstty\s[^;|&]*-echo\b|\bgetpass\b/

/** A question is short; what is looked at is, too. */
const LOOKED_AT = 1_000

/**
 * Whether the last thing that a program printed asks for what nobody should see. A shell's own terminal never echoes, so that a
 * program that turns the echo off changes nothing there that could be seen from outside.
 */
export function asksSecret(output: string): boolean {
  return QUESTION.test((output.trimEnd().split('\n').at(-1) ?? '').slice(-LOOKED_AT))
}

/** Whether the first thing that is typed to a command is such. */
export function readsSecret(command: string): boolean {
  return ECHO_OFF.test(command.slice(0, LOOKED_AT))
}
