/** Why a check does not pass, and what its failure shows when that is the reason. */
export interface ExpectedFailure {
  readonly reason: string
  readonly shows: RegExp
}

const RUNS_ON = { reason: 'a cancelled call runs on in the daemon', shows: /expected true to be false/ }
const IS_BUSY = {
  reason: 'a call to a topic in which another one runs is answered BUSY',
  shows: /first 41[\s\S]*ERROR\(BUSY\)/,
}
const NOT_TOLD = { reason: 'no answer mentions that events wait', shows: /topic: after-event \(tab\)/ }
const FOLDER = {
  reason: 'sessions are kept without the folder in which they began',
  shows: /No conversation found|took longer than|exit 42/,
}

/** Checks that do not pass; one that begins to, or that fails for another reason, fails the run. */
export const EXPECTED_FAILURES: Readonly<Record<string, ExpectedFailure>> = {
  'claude-code: cancel': RUNS_ON,
  'claude-code: Ctrl-C': RUNS_ON,
  'claude-code: event': NOT_TOLD,
  'claude-code: another folder': FOLDER,
  'codex: cancel': RUNS_ON,
  'codex: Ctrl-C': RUNS_ON,
  'codex: event': NOT_TOLD,
  'opencode: two calls at once': IS_BUSY,
  'opencode: cancel': RUNS_ON,
  'opencode: Ctrl-C': RUNS_ON,
  'opencode: event': NOT_TOLD,
  'opencode: another folder': FOLDER,
  'gemini: two calls at once': IS_BUSY,
  'gemini: cancel': { ...RUNS_ON, reason: 'it does not tell its servers that a call was cancelled' },
  'gemini: Ctrl-C': RUNS_ON,
  'gemini: event': NOT_TOLD,
  'gemini: another folder': FOLDER,
}
