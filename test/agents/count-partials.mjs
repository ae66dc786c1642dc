#!/usr/bin/env node
// Prints as many partials as its argument says.
const lines = Array.from({ length: Number(process.argv[2]) }, (_, index) => `AGENT_PARTIAL:"${index} "\n`)
process.stdout.write(lines.join(''))
