const SPACES = /[\u00a0\u2007\u202f]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
const UNSEEN = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g

/** Text as Markdown can hold it: plain spaces, and no character that nobody sees. */
export function cleanText(text: string): string {
  return text.replace(SPACES, ' ').replace(UNSEEN, '')
}
