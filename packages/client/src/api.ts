export type {
  AgentActivity,
  AgentMoved,
  AgentRegistered,
  AgentRow,
  AgentSessionView,
  AgentStanding,
  AgentState,
  AgentView,
  ApprovalAnswer,
  ApprovalState,
  ApprovalView,
  ChanFlowBlockView,
  ChanFlowReply,
  CheckState,
  CheckView,
  CompletionItem,
  CompletionView,
  Data,
  DeliveryDetail,
  DeliveryView,
  DoctorView,
  DocumentMeta,
  EventView,
  FleetView,
  Health,
  InboxItem,
  Json,
  LogEntry,
  LogLevel,
  LostRunView,
  MarkdownToken,
  NodeView,
  RunningView,
  SessionCancelled,
  SessionShown,
  SessionTouched,
  SessionView,
  SseEvent,
  StepBlockView,
  TurnAttachment,
  TurnBrief,
  TurnEvent,
  TurnResultView,
  TurnState,
  TurnStepView,
  TurnSummary,
  TurnTryView,
  TurnUsage,
  TurnView,
  UsageGroup,
  UsageView,
  WatchChange,
  WatchKind,
  WatchNews,
  WebhookPeek,
  WebhookView,
} from '@string-os/protocol'
export { parseSse } from '@string-os/protocol'
export type { AgentCalls } from './agent-calls.ts'
export type { ApprovalCalls, ApprovalFilter, ApprovalOptions, ApprovalOutcome } from './approval-calls.ts'
export type { ListPart } from './calls.ts'
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
export type { FleetCalls } from './fleet-calls.ts'
export type { InboxCalls, InboxFilter, OutboxCalls, OutboxFilter } from './message-calls.ts'
export type {
  AgentFields,
  CancelOptions,
  ChanFlowOptions,
  CompleteOptions,
  ExecOptions,
  LogFilter,
  MoveOptions,
  TurnFilter,
  TurnOptions,
  UsageFilter,
} from './options.ts'
export type { SessionCalls } from './session-calls.ts'
export type { TurnCalls } from './turn-calls.ts'
export type { WatchOptions } from './turn-watch.ts'
export type { WatchAllOptions, WatchMessage } from './watch.ts'
