const DAY_MS = 86_400_000

/** From when on what went wrong is told. */
export function dayAgo(): string {
  return new Date(Date.now() - DAY_MS).toISOString()
}
