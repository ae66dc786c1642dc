export type {
  AgentActivity,
  AgentRegistered,
  AgentStanding,
  AgentView,
  ChanFlowBlockView,
  ChanFlowReply,
  CheckState,
  CheckView,
  CompletionItem,
  CompletionView,
  Data,
  DeliveryView,
  DoctorView,
  DocumentMeta,
  EventView,
  Health,
  Json,
  LogEntry,
  LogLevel,
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
export type { AgentCalls } from './agent-calls.ts'
export { StringClient } from './client.ts'
export type {
  ChangeData,
  CommandData,
  DataOf,
  EventData,
  EventsData,
  FoundData,
  ListingData,
  OutlineData,
  ShellData,
  ShellInfoData,
  TopicsData,
} from './command-data.ts'
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
export type {
  AgentFields,
  AutoStart,
  CancelOptions,
  ChanFlowOptions,
  ClientOptions,
  CompleteOptions,
  DaemonAddress,
  ExecOptions,
  LogFilter,
  TurnFilter,
  TurnOptions,
  UsageFilter,
} from './options.ts'
export type { SessionCalls } from './session-calls.ts'
export type { TurnCalls } from './turn-calls.ts'
export type { WatchOptions } from './turn-watch.ts'
