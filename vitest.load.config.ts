import { defineConfig } from 'vitest/config'
import { FailedLast } from './test/support/failed-last.ts'

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['test/load/**/*.test.ts'],
    globalSetup: ['test/support/leave-nothing.ts'],
    reporters: ['default', new FailedLast()],
    fileParallelism: false,
    // On a machine under load a second, the default, is nothing.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
})
