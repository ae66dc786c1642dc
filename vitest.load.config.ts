import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node', 'import'] } },
  test: {
    include: ['test/load/**/*.test.ts'],
    globalSetup: ['test/support/leave-nothing.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
})
