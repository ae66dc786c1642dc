export type {
  AgentActivity,
  AgentRegistered,
  AgentStanding,
  AgentView,
  ChanFlowBlockView,
  ChanFlowReply,
  CompletionItem,
  CompletionView,
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
  WatchChange,
  WatchKind,
  WatchNews,
  WebhookView,
} from '@string-os/protocol'
export { parseSse } from '@string-os/protocol'
export type { AgentCalls, AgentFields } from './agent-calls.ts'
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
export type { ChanFlowOptions, ExecOptions, TurnOptions, UsageFilter } from './options.ts'
export type { SessionCalls } from './session-calls.ts'
export type { TurnCalls, TurnFilter } from './turn-calls.ts'
export type { WatchOptions } from './turn-watch.ts'
export type { WatchAllOptions, WatchMessage } from './watch.ts'
