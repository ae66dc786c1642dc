import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { PostgresServer } from '../../support/postgres.ts'

/** As if a node had not been heard of for longer than its leases; resolves when another has noticed. */
export async function leasesPass(server: PostgresServer, database: string, name: string): Promise<void> {
  const node = `(SELECT id FROM string.nodes WHERE name = '${name}')`
  const text = `UPDATE string.nodes SET seen_at = now() - interval '1 minute' WHERE name = '${name}';
    UPDATE string.turns SET lease_until = now() - interval '1 second' WHERE state IN ('running', 'waiting') AND ran_on = ${node}`
  await server.sql(text, database)
  const held = async (): Promise<unknown> =>
    (
      await server.sql(
        `SELECT count(*)::integer AS held FROM string.turns WHERE state IN ('running', 'waiting') AND ran_on = ${node}`,
        database,
      )
    )[0]?.held
  await expect.poll(held).toBe(0)
}

/** Processes that were started in a folder. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => isIn(name, folder))
    .map(Number)
}

function isIn(pid: string, folder: string): boolean {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`, 'utf8')
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return environ.includes('AGENT_MESSAGE=') && (environ.includes(`PWD=${folder}\0`) || words.includes(folder))
  } catch {
    // It has ended, or is another's.
    return false
  }
}
