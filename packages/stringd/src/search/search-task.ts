import type { Pattern } from './pattern.ts'
import type { FoundLine } from './search-text.ts'

/** A file or folder that passed the guard of the workspace. */
export interface SearchPlace {
  readonly path: string
  /** All links followed. */
  readonly real: string
  readonly isFolder: boolean
}

/** What a thread is to look for, and where. */
export interface SearchTask {
  readonly root: SearchPlace
  /** Folders around the root that are open too, the nearest first: what git ignores may be said there. */
  readonly above: readonly string[]
  readonly pattern: Pattern
  /** Which files have it, and not where. */
  readonly filesOnly: boolean
  readonly context: number
  /** It ends by itself after this time. */
  readonly withinMs: number
  /** Of as many threads as look for it, the one that is told this: each enters all folders, and reads its own files. */
  readonly share: Share
}

export interface Share {
  readonly index: number
  readonly of: number
}

/** A file that has it. */
export interface FoundFile {
  readonly path: string
  readonly lines: readonly FoundLine[]
  /** How many of its lines have it; 0 where only its name does. */
  readonly total: number
}

/** What was looked at, and what was not. */
export interface SearchSummary {
  readonly files: number
  /** Not text, although they hold it. */
  readonly binary: number
  readonly tooLarge: number
  readonly unreadable: number
  /** Why it ended before its end. */
  readonly stopped: 'enough' | 'time' | null
}

/** What came of a search. */
export interface Searched {
  readonly ok: true
  readonly files: readonly FoundFile[]
  /** Null when the thread had to be ended: nobody counted. */
  readonly summary: SearchSummary | null
}

/** What may be entered and followed is asked of the guard, which lives outside of the thread. */
export interface GuardQuestion {
  /** Real paths of folders in one that was entered. */
  readonly folders: readonly string[]
  readonly links: readonly string[]
}

export interface GuardAnswer {
  readonly folders: readonly boolean[]
  /** Where each link leads; null where it must not be followed. */
  readonly links: readonly (SearchPlace | null)[]
}

/** What a thread says. */
export type SearchReport =
  | { readonly kind: 'found'; readonly file: FoundFile }
  | { readonly kind: 'asks'; readonly question: GuardQuestion }
  | { readonly kind: 'done'; readonly summary: SearchSummary }

/** What a thread is told. */
export type SearchOrder =
  | { readonly kind: 'search'; readonly task: SearchTask }
  | { readonly kind: 'answer'; readonly answer: GuardAnswer }
