import { parentPort } from 'node:worker_threads'
import type { ParseTask } from './parse-task.ts'
import { createRunParse } from './run-parse.ts'

/** The program of a thread that parses one document after the other. */
const run = createRunParse()
parentPort?.on('message', (task: ParseTask) => {
  void run(task).then((parsed) => parentPort?.postMessage(parsed))
})
