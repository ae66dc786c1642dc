import { defineConfig } from 'vitest/config'
import { FailedLast } from './test/support/failed-last.ts'

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['test/page/**/*.test.ts'],
    globalSetup: ['test/support/leave-nothing.ts'],
    reporters: ['default', new FailedLast()],
    // Each has a browser, which uses every processor there is.
    fileParallelism: false,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
