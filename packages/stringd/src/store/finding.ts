/** What a look at a store found. */
export interface Finding {
  /** `doubtful`: it can be used, and something should be changed. `bad`: it cannot be used. `unseen`: nobody could look. */
  readonly state: 'good' | 'doubtful' | 'bad' | 'unseen'
  readonly text: string
  /** What to change. */
  readonly next: string | null
}

export function good(text: string): Finding {
  return { state: 'good', text, next: null }
}

export function doubtful(text: string, next: string): Finding {
  return { state: 'doubtful', text, next }
}

export function bad(text: string, next: string): Finding {
  return { state: 'bad', text, next }
}

export function unseen(text: string, next: string): Finding {
  return { state: 'unseen', text, next }
}
