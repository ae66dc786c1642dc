import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import type { Services } from '../../src/http/route.ts'
import { fileTrouble } from '../../src/http/serve/file-trouble.ts'

// Only a full disk asks where the store is.
const store = {} as Services['store']

function failing(path: string): unknown {
  try {
    return readFileSync(path)
  } catch (error) {
    return error
  }
}

describe('a file that fails under a request', () => {
  it('is told of the data folder only where it lies in it, also by its other name', () => {
    const dir = tempDir()
    const dataDir = join(dir, 'data')
    mkdirSync(dataDir)
    symlinkSync(dataDir, join(dir, 'link'))
    const ofData = { status: 503, reason: 'The data folder cannot be written; nothing was stored' }
    expect(fileTrouble(failing(join(dataDir, 'none')), { store, dataDir })).toEqual(ofData)
    expect(fileTrouble(failing(join(dataDir, 'none')), { store, dataDir: join(dir, 'link') })).toEqual(ofData)
    for (const path of [join(dir, 'none'), join(dir, 'data2')])
      expect(fileTrouble(failing(path), { store, dataDir })).toEqual({
        status: 500,
        reason: `Cannot use ${path}: it, or a folder above it, does not exist (ENOENT)`,
      })
    expect(fileTrouble(new Error('another'), { store, dataDir })).toBeNull()
  })
})
