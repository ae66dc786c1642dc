#!/usr/bin/env node
// Prints so many bytes: in lines of the given length, or all in one.
const [bytes, width] = process.argv.slice(2).map(Number)
const line = `${'x'.repeat(Math.min(width, bytes) - 1)}\n`
process.stdout.write(line.repeat(Math.ceil(bytes / line.length)))
