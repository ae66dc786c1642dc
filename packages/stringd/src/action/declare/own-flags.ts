/** What every action takes; a field of one of these names takes its place. */
export const OWN_FLAGS: ReadonlySet<string> = new Set(['help', 'dry-run'])
