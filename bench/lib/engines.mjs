import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '../..')
const CONTENTS = `
  export { EventIds } from './packages/stringd/src/store/event-id.ts'
  export { openPostgres } from './packages/stringd/src/store/postgres/postgres-store.ts'
  export { Database } from './packages/stringd/src/store/sqlite/database.ts'
  export { EVENTS, TURNS, TURN_DETAILS } from './packages/stringd/src/store/sqlite/schema.ts'
  export { putRow } from './packages/stringd/src/store/sqlite/sealed-row.ts'
  export { openSqlite } from './packages/stringd/src/store/sqlite/sqlite-store.ts'`

/** Says only what is wrong. */
export const log = { info() {}, warn: console.error, error: console.error }

/** The engines of the store from their sources. */
export async function loadEngines(context) {
  const outfile = join(context.folder, 'engines.cjs')
  await build({
    stdin: { contents: CONTENTS, resolveDir: ROOT, loader: 'ts' },
    absWorkingDir: ROOT,
    bundle: true,
    outfile,
    platform: 'node',
    format: 'cjs',
    conditions: ['source'],
    external: ['libsql', 'pg-native'],
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}

/** Opens a store for the bench itself. */
export function openPostgres(engines, url) {
  const onFatal = (error) => {
    throw error
  }
  return engines.openPostgres(url, { log, onFatal })
}
