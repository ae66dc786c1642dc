#!/usr/bin/env node
// The later wire: prints the turn it was given as its result, behind the lines that its arguments are.
import { text } from 'node:stream/consumers'

const turn = await text(process.stdin)
for (const line of process.argv.slice(2)) process.stdout.write(`${line}\n`)
if (process.argv.length === 2) process.stdout.write(`${JSON.stringify({ type: 'result', text: turn })}\n`)
