import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a client did: it sent a message, waited for the answer to one, or ended its server. */
export type Step = { readonly sends: unknown } | { readonly awaits: number } | { readonly ended: string }

interface Recorded {
  readonly client: string
  readonly version: string
  readonly checks: Readonly<Record<string, readonly Step[]>>
}

/** What a real client sent in a check, as `npm run test:public` wrote it down; `seconds` is how long its command sleeps. */
export function recordedSteps(client: string, check: string, seconds = '0'): readonly Step[] {
  const text = readFileSync(join(import.meta.dirname, `../fixtures/mcp-wire/${client}.json`), 'utf8')
  const { checks } = JSON.parse(text.replaceAll('SECONDS', seconds)) as Recorded
  const steps = checks[check]
  if (steps === undefined) throw new Error(`There is no recording of ${client}: ${check}`)
  return steps
}
