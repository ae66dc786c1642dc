import type { MarkStore } from '../groups/marks.ts'
import { columnText } from '../stored-rows.ts'
import type { Run } from './run.ts'

export const MARK_QUERIES = {
  list: {
    name: 'marks',
    text: 'SELECT name, value FROM string.marks WHERE name >= $1 AND name < $2 ORDER BY name LIMIT $3',
    reads: true,
  },
  remove: { name: 'remove_mark', text: 'DELETE FROM string.marks WHERE name = $1' },
  get: { name: 'mark', text: 'SELECT value FROM string.marks WHERE name = $1', reads: true },
  put: {
    name: 'put_mark',
    text: `INSERT INTO string.marks (name, value) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  },
} as const

export function markStore(run: Run): MarkStore {
  return {
    // Names are ASCII: what begins with the prefix is below the prefix with the last sign behind it.
    list: async (prefix, limit) => {
      const { rows } = await run(MARK_QUERIES.list, [prefix, `${prefix}\x7f`, limit])
      return new Map(rows.map(({ name, value }) => [String(name), String(value)]))
    },
    remove: async (name) => {
      await run(MARK_QUERIES.remove, [name])
    },
    get: async (name) => columnText((await run(MARK_QUERIES.get, [name])).rows[0]?.value),
    put: async (name, value) => {
      await run(MARK_QUERIES.put, [name, value])
    },
  }
}
