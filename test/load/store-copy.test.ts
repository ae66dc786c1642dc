import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { createLog } from '../../packages/stringd/src/log.ts'
import { openPostgres } from '../../packages/stringd/src/store/postgres/postgres-store.ts'
import { STRING } from '../support/cli.ts'
import { hasPostgres, postgresServer } from '../support/postgres.ts'
import { tempDir } from '../support/temp.ts'

const MANY = 100_000
/** Far less than the events take. */
const HEAP_MB = 48
const TEXT_BYTES = 1_000

it.skipIf(!hasPostgres)('copies a store that is larger than its memory, there and back', async () => {
  const [from, to] = [await server.database(), await server.database()]
  await (await openPostgres(server.url(from), { log: createLog(() => undefined), onFatal: () => undefined })).close()
  await server.sql(
    `INSERT INTO string.events (agent_id, id, received_at, source, text, acked_at, hops)
    SELECT 'agent' || n % 100, 'evt_' || lpad(n::text, 26, '0'), 'then', 'test',
      convert_to(rpad(n::text, ${TEXT_BYTES}, md5(n::text)), 'UTF8'), CASE WHEN n % 2 = 0 THEN 'then' END, 0
    FROM generate_series(1, ${MANY}) AS n`,
    from,
  )
  const folder = `sqlite:${tempDir()}`
  const there = await copy(server.url(from), folder)
  expect(there.tables[0]).toMatchObject({ name: 'events', rows: MANY })
  expect((await copy(folder, server.url(to))).tables).toEqual(there.tables)
})

const server = postgresServer()

interface Copied {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly digest: string }[]
}

async function copy(from: string, to: string): Promise<Copied> {
  const args = [`--max-old-space-size=${HEAP_MB}`, STRING, 'store', 'copy', from, to, '--json']
  const child = spawn(process.execPath, args, {
    env: { ...process.env, HOME: tempDir() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  return JSON.parse(output) as Copied
}
