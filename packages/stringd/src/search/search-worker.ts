import { parentPort } from 'node:worker_threads'
import { createMatcher } from './pattern.ts'
import { FileSearch } from './search-files.ts'
import type { GuardAnswer, SearchOrder, SearchReport, SearchTask } from './search-task.ts'

/** The program of the thread that searches: one task at a time, and answers to what it asks meanwhile. */
const say = (report: SearchReport): void => parentPort?.postMessage(report)
let answered: (answer: GuardAnswer) => void = () => undefined
parentPort?.on('message', (order: SearchOrder) => {
  if (order.kind === 'search') void search(order.task)
  else answered(order.answer)
})

async function search(task: SearchTask): Promise<void> {
  const matcher = createMatcher(task.pattern)
  if (!matcher.ok) throw new Error(matcher.problem)
  const run = new FileSearch({
    task,
    matcher,
    found: (file) => say({ kind: 'found', file }),
    ask: (question) =>
      new Promise((resolve) => {
        answered = resolve
        say({ kind: 'asks', question })
      }),
  })
  say({ kind: 'done', summary: await run.run() })
}
