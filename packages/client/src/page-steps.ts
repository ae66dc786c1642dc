import type { Advice, RefusalRow } from './next-steps.ts'

const PATHS = ['"cwd"', '"home"', '"profile"', '"allowed_paths"']
const AGENTS = '`agents.list()` has all agents; `agents.register(id)` makes one'
const LOCAL =
  'Only pages of this machine may ask: open it by 127.0.0.1 or localhost, and name that in STRING_ALLOW_ORIGINS'

/** What to do in a page, where that is something else than in a program. */
export function pageAdvice(): Advice {
  return {
    refusals: REFUSALS.map((row) => ({
      ...row,
      next: row.next.replace(ORIGIN, pageOrigin() ?? 'http://localhost:5173'),
    })),
    foreign: FOREIGN,
  }
}

const ORIGIN = '{origin}'

/** That of the page; null where there is none. */
export function pageOrigin(): string | null {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }
  return location?.origin ?? null
}

const REFUSALS: readonly RefusalRow[] = [
  ...PATHS.map((begins) => {
    return { status: 400, begins, next: 'A page is in no folder: give an absolute path of the machine of the daemon' }
  }),
  { status: 401, begins: '', next: AGENTS },
  {
    status: 403,
    begins: 'Forbidden: a page of another port',
    next: `\`STRING_ALLOW_ORIGINS=${ORIGIN} string restart\` lets this page in`,
  },
  { status: 403, begins: 'Forbidden: foreign Origin', next: LOCAL },
  { status: 403, begins: 'Forbidden: a request from', next: LOCAL },
  { status: 403, begins: '', next: 'Only the user whose daemon it is may ask; SECURITY.md says how to allow others' },
  { status: 404, begins: 'Unknown agent', next: AGENTS },
]

const FOREIGN = 'Set `baseUrl` to the address of your own daemon: `string status` tells it'
