import { randomInt } from 'node:crypto'
import { describe, it } from 'vitest'
import { hasPostgres, postgresServer } from '../support/postgres.ts'
import { killUnderPosts } from './kill-under-posts.ts'

const SIZE = { posts: 1_000, writers: 32 }

describe.skipIf(!hasPostgres)(
  'events in PostgreSQL under load: every 202 is there once and whole, in order (P1, P2, P5)',
  () => {
    const server = postgresServer({ fsync: true })
    const under = async (kills: number, trouble?: (database: string) => Promise<void>): Promise<void> => {
      const database = await server.database()
      const environment = { STRING_STORE: server.url(database) }
      await killUnderPosts({
        ...SIZE,
        kills,
        environment,
        ...(trouble === undefined ? {} : { trouble: () => trouble(database) }),
      })
    }

    it('when the daemon is killed', () => under(5), 180_000)

    it(
      'when the server is restarted at once, as after a crash',
      () => under(5, () => server.restart('immediate')),
      180_000,
    )

    it('when the server is stopped for a while', async () => {
      await under(3, async () => {
        await server.stop()
        await new Promise((resolve) => setTimeout(resolve, randomInt(200, 4_500)))
        await server.start()
      })
    }, 180_000)

    it('when all connections are cut', () => under(5, async (database) => void (await server.cut(database))), 180_000)

    it('when the server accepts and never answers, for longer than anybody waits', async () => {
      await under(2, async () => {
        const thaw = server.freeze()
        await new Promise((resolve) => setTimeout(resolve, 6_000))
        thaw()
      })
    }, 240_000)
  },
)
