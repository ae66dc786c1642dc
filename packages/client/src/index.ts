export type {
  AgentRegistered,
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
  WebhookView,
} from '@string-os/protocol'
export { parseSse } from '@string-os/protocol'
export {
  type AgentFields,
  type AutoStart,
  type ChanFlowOptions,
  type ClientOptions,
  type DaemonAddress,
  type ExecOptions,
  StringClient,
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
