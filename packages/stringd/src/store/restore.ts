/** Where the lines stand that put a backup in the place of a store. */
export const RESTORE = 'docs/store.md#backup-and-restore'
