// Writes what V8 has compiled of a program once its modules are loaded: `node code-cache.mjs PROGRAM CACHE`. The program is told
// to say its version, and does nothing else.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

const [, , path, cache] = process.argv
const script = new Script(Module.wrap(readFileSync(path, 'utf8')), { filename: path })
process.argv = [process.execPath, path, '--version']
process.on('exit', () => writeFileSync(cache, script.createCachedData()))
const program = { exports: {} }
script.runInThisContext()(program.exports, createRequire(path), program, path, dirname(path))
