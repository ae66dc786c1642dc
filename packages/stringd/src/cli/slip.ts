import { editDistance } from '@string-os/protocol'

/**
 * Whether `word` was probably meant to be `name`: the same but for one letter, or two neighbours that changed places, or,
 * in a long one, two of that; or the one in the plural and the other in the singular. Stricter than a suggestion for what
 * is wrong anyway, because a word that is no verb may well be a topic.
 */
export function isSlip(written: string, name: string): boolean {
  const word = written.slice(0, 64).toLowerCase()
  if (word === name) return written !== name
  if (plurals(name).includes(word) || plurals(word).includes(name)) return true
  // Of three letters, any other is a word of its own.
  if (name.length < 4) return sortedLetters(word) === sortedLetters(name)
  return editDistance(word, name) <= (name.length < 6 ? 1 : 2)
}

function sortedLetters(word: string): string {
  return word.split('').sort().join('')
}

function plurals(word: string): readonly string[] {
  return [`${word}s`, word.replace(/y$/, 'ies')].filter((plural) => plural !== word)
}
