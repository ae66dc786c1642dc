/** The engine that is loaded only when a store at a PostgreSQL is named: the build makes a file of its own of this one. */

export { StoreRefused } from '../refused.ts'
export { openPostgresArchive } from './archive.ts'
export { checkPostgres } from './check.ts'
export { openPostgres } from './postgres-store.ts'
