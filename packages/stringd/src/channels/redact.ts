import { LIMITS, quoted } from '@string-os/protocol'

/** What a server said, on one line, cut short, and without anything secret, however that was spelled. */
export function shownReason(text: string, secrets: readonly string[]): string {
  const spelled = secrets.flatMap(spellings).filter((secret) => secret !== '')
  // Longest first: what a secret begins with may be another one.
  const clean = spelled
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
  return quoted(clean.trim(), LIMITS.shownValueChars)
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
