export { DEFAULT_SESSION } from '@string-os/protocol'
export { type Explanation, explainProfile } from './explain.ts'
export { type Finding, findingLine, refusalLines } from './finding.ts'
export { PausableTimer } from './pausable-timer.ts'
export { type Refused, refusedMessage } from './prepare.ts'
export { loadProfile, type Profile, type ProfileReading, parseProfile } from './profile.ts'
export { PROFILE_KEYS, type ProfileKey, type ProfileReader } from './profile-keys.ts'
export { refusedResult } from './result.ts'
export { runTurn } from './run.ts'
export { secretsOf } from './secrets.ts'
export { TextBudget } from './text-budget.ts'
export type {
  AgentProcessView,
  Attachment,
  Permission,
  PermissionRequest,
  TurnOptions,
  TurnRequest,
  TurnResult,
} from './turn.ts'
export type { AgentUsage } from './usage.ts'
export { type Wire, wireNotes } from './wires.ts'
export { handOnText, withheldVariables } from './withheld.ts'
