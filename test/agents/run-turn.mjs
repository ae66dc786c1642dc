#!/usr/bin/env node
// A bridge of its own: runs the profile it is given and cancels the turn when it gets TERM or INT.
import { loadProfile, runTurn } from '../../packages/bridge/dist/index.js'

const { profile } = await loadProfile(process.argv[2])
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop.abort())
const request = { message: 'hello', sessionId: null, sessionName: '', fromUser: '', attachments: [] }
const result = await runTurn(profile, request, {
  cwd: process.cwd(),
  environment: process.env,
  signal: stop.signal,
  onPartial: (text) => process.stdout.write(`${text}\n`),
})
process.stdout.write(result.reply)
process.exitCode = result.exit_code
