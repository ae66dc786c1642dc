import { describe, it } from 'vitest'
import { FleetUnderFaults } from '../faults/fleet-under-faults.ts'
import { hasPostgres, postgresServer } from '../support/postgres.ts'

const SEEDS = 20

describe.skipIf(!hasPostgres)(
  'three nodes under SIGKILL, SIGSTOP, restarts of the database and cut connections',
  () => {
    const server = postgresServer()

    it('10,000 events and 1,000 turns: nothing that was answered is lost, no event succeeds twice, sessions stay in order, all is quiet', async () => {
      const fleet = new FleetUnderFaults(server, await server.database())
      await fleet.begin()
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        await fleet.round(seed, { events: 500, wakes: 25, chats: 25, faults: 2 })
      }
    }, 900_000)
  },
)
