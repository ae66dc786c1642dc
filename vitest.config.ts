import { defineConfig } from 'vitest/config'
import { FailedLast } from './test/support/failed-last.ts'

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/{conformance,e2e,docs,faults}/**/*.test.ts'],
    setupFiles: ['test/support/each-file.ts'],
    globalSetup: ['test/support/leave-nothing.ts'],
    reporters: ['default', new FailedLast()],
    // These packages have a 'source' condition of their own, which Node itself could not load.
    server: { deps: { inline: [/@modelcontextprotocol\/client/, /eventsource/] } },
    // Most of the time of most tests is waiting for other processes.
    maxWorkers: 4,
    // No module keeps state, so a worker loads each once, not once a file: a fifth of the processor time.
    isolate: false,
    // On a machine under load a second, the default, is nothing.
    expect: { poll: { timeout: 20_000 } },
    // For what hangs, not for what is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
