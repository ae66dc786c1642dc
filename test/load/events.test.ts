import { describe, it } from 'vitest'
import { killUnderPosts } from '../faults/kill-under-posts.ts'
import { hasPostgres, postgresServer } from '../support/postgres.ts'

describe('events under load', () => {
  it('R1, R11: 10,000 posts by 32 writers with 20 kills: every 202 is there once and whole, in order', async () => {
    await killUnderPosts({ posts: 10_000, writers: 32, kills: 20 })
  }, 300_000)
})

describe.skipIf(!hasPostgres)('events in PostgreSQL under load', () => {
  const server = postgresServer({ fsync: true })

  it('P1, P2: 10,000 posts by 32 writers with 20 kills: every 202 is there once and whole, in order', async () => {
    const environment = { STRING_STORE: server.url(await server.database()) }
    await killUnderPosts({ posts: 10_000, writers: 32, kills: 20, environment })
  }, 300_000)
})
