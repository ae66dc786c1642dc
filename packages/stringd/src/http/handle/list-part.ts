import { agentIdOf, invalid, LIMITS, type Parsed, valid } from '@string-os/protocol'

/** Which part of a list is wanted. */
export interface ListPart {
  readonly agentId: string | null
  readonly limit: number
  /** Older than this one. */
  readonly before: string | null
}

/** `agent_id`, `limit` and `before`, as all lists take them. */
export function listPart(given: URLSearchParams, usual: number, most: number = LIMITS.listedMax): Parsed<ListPart> {
  const named = given.get('agent_id')
  const id = named === null || named === '' ? valid(null) : agentIdOf(named)
  if (!id.ok) return id
  const limit = Number(given.get('limit') ?? usual)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > most) return invalid(`"limit" is a number from 1 to ${most}`)
  return valid({ agentId: id.value, limit, before: given.get('before') || null })
}

/** One of the words that a list can be narrowed to; null where none is given. */
export function wordOf<W extends string>(given: URLSearchParams, name: string, words: readonly W[]): Parsed<W | null> {
  const asked = given.get(name)
  if (asked === null || asked === '') return valid(null)
  const word = words.find((each) => each === asked)
  return word === undefined ? invalid(`"${name}" is one of ${words.join(', ')}`) : valid(word)
}

/** The first `limit` of a list behind the row that is named; none where there is no such row. */
export function nextOf<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  given: URLSearchParams,
): Parsed<readonly T[]> {
  const query = listPart(given, LIMITS.listedMax, LIMITS.agents)
  if (!query.ok) return query
  const { limit, before } = query.value
  if (before === null) return valid(rows.slice(0, limit))
  const found = rows.findIndex((row) => nameOf(row) === before)
  return valid(found === -1 ? [] : rows.slice(found + 1, found + 1 + limit))
}

/** The last `limit` of a list before the row that is named; all of it where nobody asks for less. */
export function lastOf<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  given: URLSearchParams,
): Parsed<readonly T[]> {
  if (!given.has('limit') && !given.has('before')) return valid(rows)
  const query = listPart(given, LIMITS.listedMax, LIMITS.agents)
  if (!query.ok) return query
  const { limit, before } = query.value
  const found = before === null ? rows.length : rows.findIndex((row) => nameOf(row) === before)
  const end = found === -1 ? 0 : found
  return valid(rows.slice(Math.max(0, end - limit), end))
}
