import { LIMITS } from '@string-os/protocol'
import { StoreAway } from '../store.ts'
import { failureOf } from './failure.ts'
import { LinkBroken, type ServerLink } from './link.ts'
import type { Pool } from './pool.ts'
import { isConflict } from './reason.ts'
import type { Run } from './run.ts'

/** Of a transaction that was rolled back because of others, this many tries. */
export const TRIES = 5

/** All that `change` runs is stored, or nothing; as long as nothing can have been stored it may run again. */
export async function transaction<T>(pool: Pool, change: (run: Run) => Promise<T>): Promise<T> {
  const until = performance.now() + LIMITS.storeAnswerMs
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await pool.use(until, (link) => once(link, until, change))
    } catch (error) {
      const again = error instanceof Interrupted
      if (!again || left === 0 || performance.now() > until) throw again ? error.failure : error
    }
  }
}

/** Nothing was stored, and not because of what was to be stored. */
class Interrupted extends LinkBroken {
  readonly failure: unknown

  constructor(reason: string, failure: unknown, kind: LinkBroken['kind']) {
    super(reason, kind)
    this.failure = failure
  }
}

async function once<T>(link: ServerLink, until: number, change: (run: Run) => Promise<T>): Promise<T> {
  let failure: unknown = null
  let isOver = false
  const run: Run = async (query, values = []) => {
    if (isOver) throw new Error('The transaction is over')
    try {
      return await link.run(query, values, until)
    } catch (error) {
      failure ??= error
      throw failureOf(error, link, false)
    }
  }
  try {
    await run({ name: 'begin', text: 'BEGIN' })
    const value = await inTime(link, until, change(run))
    isOver = true
    // Whoever caught it goes on in vain: the server has given the transaction up.
    if (failure !== null) throw failureOf(failure, link, false)
    await commit(link, until)
    return value
  } catch (error) {
    isOver = true
    if (!link.isBroken) await rollBack(link, until)
    throw interrupted(failure, error) ?? error
  }
}

async function commit(link: ServerLink, until: number): Promise<void> {
  try {
    await link.run({ name: 'commit', text: 'COMMIT' }, [], until)
  } catch (error) {
    throw failureOf(error, link, true)
  }
}

async function rollBack(link: ServerLink, until: number): Promise<void> {
  try {
    await link.run({ name: 'rollback', text: 'ROLLBACK' }, [], until)
  } catch {
    // With its connection the transaction is gone too.
    link.destroy()
  }
}

function interrupted(failure: unknown, thrown: unknown): Interrupted | null {
  if (failure instanceof LinkBroken) return new Interrupted(failure.message, thrown, failure.kind)
  return isConflict(failure) ? new Interrupted('others were faster', thrown, 'late') : null
}

/** Whoever does something else in a transaction than asking the store must not hold its rows for long. */
async function inTime<T>(link: ServerLink, until: number, work: Promise<T>): Promise<T> {
  let limit: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => {
      reject(new StoreAway(`a change took longer than ${LIMITS.storeAnswerMs / 1000} s`))
      link.destroy()
    }, until - performance.now())
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(limit)
  }
}
