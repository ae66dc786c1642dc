import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own for one test, gone when the test is. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'string-test-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }))
  return dir
}
