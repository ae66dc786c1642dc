/** How a person has typed what HTTP calls by the names of its fields. */
const TYPED: readonly (readonly [RegExp, string])[] = [
  [/^agent_id required$/, 'Which agent? string agent list shows all'],
  [/^Invalid agent_id: /, 'Invalid ID of an agent: '],
  [/^Unknown agent: (.*)$/, 'There is no agent $1; string agent list shows all'],
  [/^"message" must not be empty$/, 'The message is empty, so there is nothing to say'],
  [/"allowed_paths"/g, '--allow'],
  [/"(home|profile|session|note|cwd|topic|limit|since)"/g, '--$1'],
  [/ must be a string\b/, ' must be a text'],
]

/** What the daemon says to programs, in the words of the command line. */
export function asTyped(refusal: string): string {
  return TYPED.reduce((text, [pattern, typed]) => text.replace(pattern, typed), refusal)
}
