import { describe, it } from 'vitest'
import { killUnderPosts } from '../faults/kill-under-posts.ts'

describe('events under load', () => {
  it('R1, R11: 10,000 posts by 32 writers with 20 kills: every 202 is there once and whole, in order', async () => {
    await killUnderPosts({ posts: 10_000, writers: 32, kills: 20 })
  }, 300_000)
})
