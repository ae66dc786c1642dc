import { ERROR_CODES, nearest } from '@string-os/protocol'
import { CAUSES, type Help, TURN_ERRORS } from './error-causes.ts'

/** `string help NOT_FOUND`: what docs/errors.md says of a code; null: there is none of that name. */
export function errorHelp(word: string): string | null {
  const code = word.toUpperCase().replace(/^EXIT_(\d+|N)$/, 'EXIT_<n>')
  const tells: ReadonlyMap<string, string> = new Map(Object.entries(ERROR_CODES))
  const command = new Map<string, Help>(Object.entries(CAUSES)).get(code)
  const turn = new Map<string, Help>(Object.entries(TURN_ERRORS)).get(code)
  const parts = [
    command === undefined ? [] : [`${tells.get(code) ?? ''}.`, ...shown(command)],
    turn === undefined ? [] : [command === undefined ? 'A turn failed.' : 'Of a turn:', ...shown(turn)],
  ].filter((lines) => lines.length > 0)
  if (parts.length === 0) return null
  const text = [word.toUpperCase(), ...parts.map((lines) => lines.join('\n'))].join('\n\n')
  return `${text.replaceAll('`', '')}\n`
}

/** The code that may be meant by one that there is not. */
export function nearestCode(word: string): string | null {
  return /^[A-Z_]+$/.test(word) ? nearest(word, [...Object.keys(CAUSES), ...Object.keys(TURN_ERRORS)]) : null
}

function shown({ cause, next }: Help): readonly string[] {
  return [`  cause: ${cause}`, `  next: ${next}`]
}
