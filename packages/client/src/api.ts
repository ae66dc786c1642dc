export type {
  AgentActivity,
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
  Health,
  InboxItem,
  Json,
  LogEntry,
  LogLevel,
  MarkdownToken,
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
export type { AgentCalls, AgentFields } from './agent-calls.ts'
export type { ApprovalCalls, ApprovalFilter, ApprovalOptions, ApprovalOutcome } from './approval-calls.ts'
export type { ListPart } from './calls.ts'
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
export type { InboxCalls, InboxFilter, OutboxCalls, OutboxFilter } from './message-calls.ts'
export type { ChanFlowOptions, ExecOptions, LogFilter, TurnOptions, UsageFilter } from './options.ts'
export type { SessionCalls } from './session-calls.ts'
export type { TurnCalls, TurnFilter } from './turn-calls.ts'
export type { WatchOptions } from './turn-watch.ts'
export type { WatchAllOptions, WatchMessage } from './watch.ts'
