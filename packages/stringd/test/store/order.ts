import { setImmediate } from 'node:timers/promises'

/**
 * Reads again and again from the last id it has seen, as a subscriber does, while others write; then reads everything. What it
 * answers became visible behind its back: the reader has passed its place and will never see it.
 */
export async function missedByReader(
  after: (id: string) => Promise<readonly string[]>,
  writing: Promise<unknown>,
): Promise<string[]> {
  const seen = new Set<string>()
  let last = ''
  const readOn = async (): Promise<void> => {
    for (;;) {
      const found = await after(last)
      for (const id of found) seen.add(id)
      last = found.at(-1) ?? last
      if (found.length === 0) return
    }
  }
  let isWritten = false
  const written = writing.finally(() => {
    isWritten = true
  })
  // An engine that answers without waiting would let nobody else have a turn.
  for (; !isWritten; await setImmediate()) await readOn()
  await written
  await readOn()
  const all: string[] = []
  for (let found = await after(''); found.length > 0; found = await after(found.at(-1) ?? '')) all.push(...found)
  return all.filter((id) => !seen.has(id))
}
