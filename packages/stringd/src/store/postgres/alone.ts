import { LIMITS } from '@string-os/protocol'
import { StoreRefused } from '../refused.ts'
import { parseAddress } from './address.ts'
import { contact, StoreTaken } from './contact.ts'
import type { ServerLink, ServerRow } from './link.ts'

/** A store that nobody else uses as long as this is not ended. */
export interface Alone {
  readonly where: string
  readonly rows: (text: string, values?: readonly unknown[]) => Promise<readonly ServerRow[]>
  readonly end: () => Promise<void>
}

/** What is done alone takes its time, and may pause for long. */
const SETTINGS = `SELECT set_config('statement_timeout', '${LIMITS.storeCopyMs}', false),
  (SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout')`

/** Takes a store for oneself, with its schema up to date; rejects with the reason while a daemon uses it. */
export async function tryAlone(address: string): Promise<Alone> {
  const parsed = parseAddress(address)
  const link = await contact(parsed, 'alone').catch((error: unknown) => {
    throw error instanceof StoreTaken ? inUse(parsed.where, error.message) : error
  })
  const rows: Alone['rows'] = async (text, values = []) => (await link.run(text, values, deadline())).rows
  await rows(SETTINGS)
  return { where: parsed.where, rows: (text, values) => shown(link, rows(text, values)), end: () => link.end() }
}

/** The server gives up first. */
function deadline(): number {
  return performance.now() + LIMITS.storeCopyMs + LIMITS.storeAnswerMs
}

function inUse(where: string, reason: string): StoreRefused {
  return new StoreRefused(`${where}: ${reason}. Stop every stringd that has this store (string stop) first`)
}

/** Without a password, whatever the server said. */
async function shown<T>(link: ServerLink, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new Error(link.shown(error), { cause: error })
  }
}
