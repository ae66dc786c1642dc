export type {
  AgentActivity,
  AgentRegistered,
  AgentStanding,
  AgentView,
  ChanFlowBlockView,
  ChanFlowReply,
  Data,
  DeliveryView,
  DocumentMeta,
  EventView,
  Health,
  Json,
  RunningView,
  SessionCancelled,
  SessionTouched,
  SessionView,
  SseEvent,
  StepBlockView,
  TurnAttachment,
  TurnEvent,
  TurnResultView,
  TurnState,
  TurnStepView,
  TurnSummary,
  TurnUsage,
  TurnView,
  UsageGroup,
  UsageView,
  WebhookView,
} from '@string-os/protocol'
export { parseSse } from '@string-os/protocol'
export type { AgentCalls, AgentFields } from './agent-calls.ts'
export {
  type AutoStart,
  type ChanFlowOptions,
  type ClientOptions,
  type DaemonAddress,
  type ExecOptions,
  StringClient,
  type TurnOptions,
  type UsageFilter,
} from './client.ts'
export {
  ForeignDaemonError,
  HttpError,
  IncompleteError,
  QueueError,
  StringClientError,
  UnreachableError,
} from './errors.ts'
export type { FollowOptions } from './events.ts'
export { type ExecResult, stripContentPrefix } from './exec-result.ts'
export type { TurnCalls, TurnFilter } from './turn-calls.ts'
export type { WatchOptions } from './turn-watch.ts'
