import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node', 'import'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/{conformance,e2e,docs,faults}/**/*.test.ts'],
    globalSetup: ['test/support/leave-nothing.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
