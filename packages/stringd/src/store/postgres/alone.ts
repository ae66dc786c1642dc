import { LIMITS } from '@string-os/protocol'
import { parseAddress } from './address.ts'
import { contact } from './contact.ts'
import type { ServerRow } from './link.ts'

/** A store that nobody else uses as long as this is not ended. */
export interface Alone {
  readonly where: string
  readonly rows: (text: string, values?: readonly unknown[]) => Promise<readonly ServerRow[]>
  readonly end: () => Promise<void>
}

/** Takes a store for oneself, with its schema up to date; rejects with the reason while a daemon uses it. */
export async function tryAlone(address: string): Promise<Alone> {
  const parsed = parseAddress(address)
  const link = await contact(parsed, 'alone')
  return {
    where: parsed.where,
    rows: async (text, values = []) => (await link.run(text, values, performance.now() + LIMITS.storeAnswerMs)).rows,
    end: () => link.end(),
  }
}
