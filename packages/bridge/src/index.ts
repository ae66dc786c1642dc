export { type Explanation, explainProfile } from './explain.ts'
export { type Finding, findingLine } from './finding.ts'
export type { Refused } from './prepare.ts'
export { loadProfile, type Profile, type ProfileReading, parseProfile } from './profile.ts'
export { PROFILE_KEYS, type ProfileKey, type ProfileReader } from './profile-keys.ts'
export { refusedResult } from './result.ts'
export { runTurn } from './run.ts'
export {
  type Attachment,
  DEFAULT_SESSION,
  type Permission,
  type PermissionRequest,
  type TurnOptions,
  type TurnRequest,
  type TurnResult,
} from './turn.ts'
export { type Wire, wireNotes } from './wires.ts'
