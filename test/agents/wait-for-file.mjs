#!/usr/bin/env node
// Prints a partial, and another once the file that its message names exists.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

process.stdout.write('AGENT_PARTIAL:"first"\n')
while (!existsSync(process.env.AGENT_MESSAGE)) await sleep(10)
process.stdout.write('AGENT_PARTIAL:"second"\nthe body\n')
