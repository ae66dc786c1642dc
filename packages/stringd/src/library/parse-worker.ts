import { parentPort } from 'node:worker_threads'
import type { ParsedText, ParseTask } from './run-parse.ts'
import { createRunParse } from './run-parse.ts'

/** The program that parses one document after the other, in a thread or in a process of its own. */
const run = createRunParse()
const answer = (parsed: ParsedText): void => {
  if (parentPort === null) process.send?.(parsed)
  else parentPort.postMessage(parsed)
}
const source = parentPort ?? process
source.on('message', (task: ParseTask) => void run(task).then(answer))
