import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { hasPostgres, postgresServer } from '../../../../../test/support/postgres.ts'
import { parseAddress } from '../../../src/store/postgres/address.ts'
import { ServerLink } from '../../../src/store/postgres/link.ts'
import { Pool } from '../../../src/store/postgres/pool.ts'

const soon = (): number => performance.now() + LIMITS.storeAnswerMs

describe.skipIf(!hasPostgres)('the connections to a PostgreSQL', () => {
  const server = postgresServer()

  it('P5: are replaced when they break while nobody uses them, however often, and all are back in the end', async () => {
    const address = parseAddress(server.url(await server.database()))
    const troubles: unknown[] = []
    const pool = new Pool({ open: () => ServerLink.open(address), onTrouble: (error) => void troubles.push(error) })
    pool.admit()
    for (let round = 0; round < 2 * LIMITS.storeConnections; round += 1) {
      const link = await pool.use(soon(), async (lent) => lent)
      // It is broken now, and its end is told a little later: who asks in between gets another one.
      link.destroy()
      const other = await pool.use(soon(), async (lent) => lent)
      expect(other.isBroken).toBe(false)
    }
    await pool.close()
    expect(troubles).toEqual([])
  })
})
