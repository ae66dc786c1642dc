import { readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { distDir } from './dist-dir.ts'

/**
 * The program `stringd`: runs the daemon with what V8 made of it when it was built, because compiling it anew is a quarter of
 * the time of a start. Another V8 refuses that, and compiles it as ever.
 */
const path = join(distDir(), 'daemon.cjs')
const script = new Script(Module.wrap(readFileSync(path, 'utf8')), { filename: path, cachedData: compiled() })
const daemon = { exports: {} }
const run = script.runInThisContext() as (...given: unknown[]) => void
run(daemon.exports, createRequire(path), daemon, path, distDir())

function compiled(): Buffer | undefined {
  try {
    return readFileSync(join(distDir(), 'daemon.cache'))
  } catch {
    // A build that could not make it.
    return undefined
  }
}
