import { quoted } from '@string-os/protocol'

const TELLING_CHARS = 4

/** What a server said, on one line, cut short, and without anything secret, however that was spelled. */
export function shownReason(text: string, secrets: readonly string[]): string {
  const spelled = secrets.flatMap(spellings).filter((secret) => secret !== '')
  // Longest first: what a secret begins with may be another one.
  const clean = spelled
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
  return quoted(withoutBeginning(clean, spelled).trim())
}

/** What is read of an answer may end inside of a secret; fewer characters give nothing away. */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  const lengths = secrets.map((secret) => {
    let length = Math.min(text.length, secret.length - 1)
    while (length >= TELLING_CHARS && !text.endsWith(secret.slice(0, length))) length -= 1
    return length
  })
  const longest = Math.max(0, ...lengths)
  return longest < TELLING_CHARS ? text : `${text.slice(0, -longest)}•••`
}

function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [secret, encodeURIComponent(secret), encodeURI(secret), decoded(secret), base64, base64.replace(/=+$/, '')]
}

function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret)
  } catch {
    // A percent sign that encodes nothing.
    return secret
  }
}
