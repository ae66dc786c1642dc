import type { Answer } from './answer.ts'

/** The most that one request is answered with. */
const REQUEST_ROWS = 200

export interface ListOf<T> {
  /** So many rows, behind one. */
  readonly list: (span: { readonly limit: number; readonly before?: string }) => Promise<Answer<T[]>>
  readonly idOf: (row: T) => string
}

export interface Window<T> {
  readonly rows: readonly T[]
  readonly hasMore: boolean
}

/** The first rows of a list, and whether there are more: one more is asked for than is shown. Each is there once, also where the list moved between two requests. */
export async function loadWindow<T>({ list, idOf }: ListOf<T>, rows: number): Promise<Answer<Window<T>>> {
  const found = new Map<string, T>()
  let before: string | undefined
  while (found.size <= rows) {
    const limit = Math.min(rows + 1 - found.size, REQUEST_ROWS)
    const answer = await list({ limit, ...(before === undefined ? {} : { before }) })
    if (!answer.ok) return answer
    for (const row of answer.value) found.set(idOf(row), row)
    const last = answer.value.at(-1)
    if (answer.value.length < limit || last === undefined || idOf(last) === before) break
    before = idOf(last)
  }
  return { ok: true, value: { rows: [...found.values()].slice(0, rows), hasMore: found.size > rows } }
}
