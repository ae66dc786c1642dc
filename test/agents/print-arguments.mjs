#!/usr/bin/env node
// Prints its arguments as one JSON list.
process.stdout.write(JSON.stringify(process.argv.slice(2)))
