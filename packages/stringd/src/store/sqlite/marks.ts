import type { MarkStore } from '../groups/marks.ts'
import type { Access } from './access.ts'
import type { Connection } from './connection.ts'
import { MARKS } from './schema.ts'
import { putRow } from './sealed-row.ts'

export function sqliteMarks(access: Access): MarkStore {
  return {
    get: async (name) => markOf(access, name),
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
