import { LIMITS, truncate } from '@string-os/protocol'

const SHOWN_CHARS = 60

/** Says that an id which an agent gave its session cannot be kept, and why; null when it can. */
export function sessionIdRefusal(id: string, forbidden: RegExp, rule: string): string | null {
  const reason = whyRefused(id, forbidden, rule)
  return reason === null
    ? null
    : `The invalid session id ${JSON.stringify(truncate(id, SHOWN_CHARS))} was ignored: ${reason}`
}

function whyRefused(id: string, forbidden: RegExp, rule: string): string | null {
  if (id === '') return 'it is empty'
  if (id.length > LIMITS.agentSessionChars) return `it has more than ${LIMITS.agentSessionChars} characters`
  const [found] = forbidden.exec(id) ?? []
  return found === undefined ? null : `it has ${JSON.stringify(found)} in it. Write one without ${rule}`
}
