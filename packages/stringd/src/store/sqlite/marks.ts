import type { MarkStore } from '../groups/marks.ts'
import type { Access } from './access.ts'
import type { Connection } from './connection.ts'
import { MARKS } from './schema.ts'
import { putRow } from './sealed-row.ts'

export function sqliteMarks(access: Access): MarkStore {
  return {
    list: async (prefix, limit) => {
      // Names are ASCII: what begins with the prefix is below the prefix with the last sign behind it.
      const rows = access.rows(
        MARKS,
        'WHERE name >= ? AND name < ? ORDER BY name LIMIT ?',
        prefix,
        `${prefix}\x7f`,
        limit,
      )
      return new Map(rows.map(({ name, value }) => [String(name), String(value)]))
    },
    get: async (name) => markOf(access, name),
    remove: (name) => access.write((connection) => void connection.run('DELETE FROM marks WHERE name = ?', name)),
    put: (name, value) => access.write((connection) => putMark(connection, name, value)),
  }
}

export function markOf(access: Access, name: string): string | null {
  const value = access.rows(MARKS, 'WHERE name = ?', name)[0]?.value
  return typeof value === 'string' ? value : null
}

export function putMark(connection: Connection, name: string, value: string): void {
  putRow(connection, MARKS, { name, value })
}
