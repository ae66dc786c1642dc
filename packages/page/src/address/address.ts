/** Where in the page somebody is; each has an address that can be sent and reloaded. */
export type Place =
  | { readonly kind: 'agents' }
  | { readonly kind: 'agent'; readonly agent: string }
  | { readonly kind: 'session'; readonly agent: string; readonly session: string }
  | { readonly kind: 'turn'; readonly agent: string; readonly turn: string }
  | { readonly kind: 'topic'; readonly agent: string; readonly topic: string }
  | { readonly kind: 'inbox'; readonly event: string | null }
  | { readonly kind: 'outbox' }
  | { readonly kind: 'approvals'; readonly approval: string | null }
  | { readonly kind: 'webhooks' }
  | { readonly kind: 'system' }
  | { readonly kind: 'fleet' }
  | { readonly kind: 'nowhere'; readonly hash: string }

export function addressOf(place: Place): string {
  switch (place.kind) {
    case 'agents':
      return '#/'
    case 'agent':
      return written('agents', place.agent)
    case 'session':
      return written('agents', place.agent, 'sessions', place.session)
    case 'turn':
      return written('agents', place.agent, 'turns', place.turn)
    case 'topic':
      return written('agents', place.agent, 'topics', place.topic)
    case 'inbox':
      return place.event === null ? '#/inbox' : written('inbox', place.event)
    case 'approvals':
      return place.approval === null ? '#/approvals' : written('approvals', place.approval)
    case 'outbox':
    case 'webhooks':
    case 'system':
    case 'fleet':
      return written(place.kind)
    case 'nowhere':
      return place.hash
  }
}

export function placeOf(hash: string): Place {
  const nowhere: Place = { kind: 'nowhere', hash }
  const parts = read(hash)
  if (parts === null) return nowhere
  const [first, second, third, fourth, fifth] = parts
  if (fifth !== undefined) return nowhere
  if (first === undefined) return { kind: 'agents' }
  if (first === 'agents' && second !== undefined) return ofAgent(second, third, fourth) ?? nowhere
  if (third !== undefined) return nowhere
  if (first === 'inbox') return { kind: 'inbox', event: second ?? null }
  if (first === 'approvals') return { kind: 'approvals', approval: second ?? null }
  if (second !== undefined) return nowhere
  return PLAIN.find((each) => each.kind === first) ?? nowhere
}

/** Those that are no more than their name. */
const PLAIN = [{ kind: 'outbox' }, { kind: 'webhooks' }, { kind: 'system' }, { kind: 'fleet' }] as const

function ofAgent(agent: string, what: string | undefined, name: string | undefined): Place | null {
  if (what === undefined) return { kind: 'agent', agent }
  if (name === undefined) return null
  if (what === 'sessions') return { kind: 'session', agent, session: name }
  if (what === 'turns') return { kind: 'turn', agent, turn: name }
  return what === 'topics' ? { kind: 'topic', agent, topic: name } : null
}

function written(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

/** The parts of an address; null when it is none. */
function read(hash: string): string[] | null {
  try {
    return hash
      .replace(/^#?\/?/, '')
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent)
  } catch {
    // A lone percent sign.
    return null
  }
}
