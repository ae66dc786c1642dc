import { LIMITS } from '@string-os/protocol'

/** Nobody reads what is nested deeper, and its indentation would be larger than itself. */
const PRETTY_DEPTH = 32

/** A JSON value; undefined for what is none, or nested too deep to be handled. */
export function parseJson(text: string): unknown {
  if (!/^\s*[[{"\dtfn-]/.test(text) || depthOf(text) > LIMITS.jsonDepth) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // It is some other text.
    return undefined
  }
}

/** JSON as a person reads it; other text, and what is too large to be read by anyone, as it is. */
export function prettyJson(text: string): string {
  if (text.length > LIMITS.actionOutputChars || depthOf(text) > PRETTY_DEPTH) return text
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return deepest
}
