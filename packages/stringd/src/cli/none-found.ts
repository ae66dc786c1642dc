import { visibleLine } from '@string-os/protocol'
import type { Config } from '../config.ts'
import { asideText } from '../doctor/set-aside.ts'
import { keptAside } from '../store/odd-file.ts'
import { inOwnName } from './program-name.ts'
import { clockTime } from './turns/time.ts'

/** Where lists come from: one that is empty may be so because its file was damaged. */
type StateFile = 'agents.json' | 'state.db'

/** Whoever finds nothing is told of what was set aside: the daemon has said so in its log alone. */
export function tellSetAside({ dataDir }: Config, file: StateFile): void {
  const last = keptAside(dataDir).findLast((kept) => kept.file === file)
  if (last !== undefined) process.stderr.write(`note: ${visibleLine(inOwnName(asideText(dataDir, last)))}\n`)
}

/** By what a list was narrowed. */
export interface Narrowed {
  /** How they are: `failed`. */
  readonly state?: string | undefined
  readonly agent?: string | null | undefined
  readonly session?: string | undefined
  readonly since?: Date | undefined
}

/** That there is nothing, of what, and how to see more; `first` is said where nothing was asked for but all. */
export function noneFound(
  { what, verb, first }: { readonly what: string; readonly verb: string; readonly first: string },
  { state, agent, session, since }: Narrowed,
): string {
  const words = [
    ...(state === undefined ? [] : [state]),
    what,
    ...(agent === undefined || agent === null ? [] : [`of ${agent}`]),
    ...(session === undefined ? [] : [`in session ${session}`]),
    ...(since === undefined ? [] : [`since ${clockTime(since.toISOString(), Date.now())}`]),
  ]
  return inOwnName(words.length === 1 ? first : `No ${words.join(' ')}; string ${verb} shows all`)
}
