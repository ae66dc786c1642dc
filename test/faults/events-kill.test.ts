import { describe, it } from 'vitest'
import { killUnderPosts } from './kill-under-posts.ts'

describe('events under SIGKILL', () => {
  it('R1, R11: every 202 is there exactly once and whole, in order per agent; a key is one event', async () => {
    await killUnderPosts({ posts: 1_000, writers: 32, kills: 5 })
  }, 120_000)
})
