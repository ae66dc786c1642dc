import type { MarkStore } from '../groups/marks.ts'
import { textOrNull } from './event-rows.ts'
import type { Run } from './run.ts'

export const MARK_QUERIES = {
  get: { name: 'mark', text: 'SELECT value FROM string.marks WHERE name = $1', reads: true },
  put: {
    name: 'put_mark',
    text: `INSERT INTO string.marks (name, value) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  },
} as const

export function markStore(run: Run): MarkStore {
  return {
    get: async (name) => textOrNull((await run(MARK_QUERIES.get, [name])).rows[0]?.value),
    put: async (name, value) => {
      await run(MARK_QUERIES.put, [name, value])
    },
  }
}
