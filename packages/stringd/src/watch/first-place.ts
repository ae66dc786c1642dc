import type { Log } from '../log.ts'
import type { MarkStore } from '../store/groups/marks.ts'
import type { Watch } from './watch.ts'

/** More changes than a daemon sees in its life. */
const RESERVED = 1_000_000_000

/**
 * Places go on where those of an earlier daemon of this name ended, also where the clock was set back. They begin with the
 * clock: while the store is away that has to do.
 */
export async function continuePlaces(watch: Watch, marks: MarkStore, name: string, log: Log): Promise<void> {
  const mark = `watch:${name}`
  try {
    watch.raise(Number((await marks.get(mark)) ?? 0))
    await marks.put(mark, String(watch.seq + RESERVED))
  } catch (error) {
    log.warn('The place of those who watch is not known to the store', { cause: String(error) })
  }
}
