import { parentPort, workerData } from 'node:worker_threads'
import type { ParseTask } from './parse-task.ts'
import { createRunParse } from './run-parse.ts'

/** The program that a worker runs for one large document. */
void createRunParse()(workerData as ParseTask).then((parsed) => parentPort?.postMessage(parsed))
