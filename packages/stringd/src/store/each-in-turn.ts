import { setImmediate as nextRound } from 'node:timers/promises'

/** So many questions are asked before others have their turn. */
const AT_ONCE = 100

/** Asks the same of each, without keeping everybody else waiting. */
export async function eachInTurn<T, R>(all: readonly T[], ask: (one: T) => R): Promise<R[]> {
  const answers: R[] = []
  for (const [index, one] of all.entries()) {
    if (index > 0 && index % AT_ONCE === 0) await nextRound()
    answers.push(ask(one))
  }
  return answers
}
