/** What every editing command takes. */
export const FORCE = { type: 'boolean', summary: 'even if someone else changed the file meanwhile' } as const
