export { type AgentCondition, agentCondition, isCutOff } from './agent-condition.ts'
export { DEFAULT_AGENT, isAgentId } from './agent-id.ts'
export {
  APPROVAL_ANSWERS,
  APPROVAL_STATES,
  type ApprovalAnswer,
  type ApprovalAnswered,
  type ApprovalState,
  type ApprovalView,
  parseApprovalAnswer,
} from './approvals.ts'
export { type Block, decodeChanFlow, encodeBlock } from './chanflow.ts'
export { ChanFlowDecoder, type ChanFlowItem } from './chanflow-decoder.ts'
export { escapeTags, unescapeTags } from './chanflow-escape.ts'
export { type IgnoredBlock, withIgnored } from './chanflow-ignored.ts'
export { ERROR_CODES, type ErrorCode } from './codes.ts'
export { didYouMean } from './did-you-mean.ts'
export { CHECK_STATES, type CheckState, type CheckView, type DoctorView, GUESSED_WEBHOOK } from './doctor.ts'
export {
  type EventWait,
  type EventWaits,
  STUCK_REASONS,
  WAIT_REASONS,
  type WaitReason,
  waitsFor,
  waitsText,
  waitWord,
} from './event-wait.ts'
export {
  eachWord,
  type FlagGrammar,
  type FlagProblem,
  type FlagTable,
  type ReadFlags,
  readFlags,
  type TypedWord,
} from './flags.ts'
export {
  type AgentMoved,
  type FleetView,
  type MoveRequest,
  NODE_STATES,
  type NodeView,
  parseMoveRequest,
} from './fleet.ts'
export {
  type AgentRegistered,
  type AgentRequest,
  type AgentView,
  agentIdOf,
  type ChanFlowBlockView,
  type ChanFlowReply,
  type ChanFlowRequest,
  CORS_HEADERS,
  type CompleteRequest,
  type CompletionItem,
  type CompletionView,
  DELIVERY_STATES,
  type DeliveryDetail,
  type DeliveryState,
  type DeliveryView,
  type DocumentMeta,
  type EventView,
  type ExecAnswer,
  type ExecHead,
  type ExecRequest,
  type Health,
  type InboxItem,
  invalid,
  type LimitsView,
  type MarkdownToken,
  PAGE_HEADERS,
  type PageHeader,
  type Parsed,
  parseAgentRequest,
  parseCancelRequest,
  parseChanFlowRequest,
  parseCompleteRequest,
  parseExecRequest,
  parseSessionRequest,
  type RunningView,
  type SessionAttended,
  type SessionCancelled,
  type SessionRequest,
  type SessionShown,
  type SessionTouched,
  type SessionView,
  topicOf,
  unknownAgentField,
  valid,
  type WebhookAccepted,
  type WebhookPeek,
  type WebhookView,
} from './http.ts'
export { type Fields, isFields, type Json, parseJson } from './json.ts'
export { LIMITS } from './limits.ts'
export { LOG_LEVELS, type LogEntry, type LogLevel } from './log-entry.ts'
export { matching } from './matching.ts'
export { editDistance, nearest } from './nearest.ts'
export { isPager, PAGER_NAMES, type Pagers } from './pagers.ts'
export { chanFlowBody, envelope, headCommand, replyBody, replyHead, shownCommand } from './render.ts'
export {
  announced,
  type Change,
  COMMAND_STOPPED,
  changed,
  type Data,
  exited,
  type Failure,
  fail,
  interrupted,
  MEANT_IN_SHELL,
  NOT_INTERRUPTED,
  notACommand,
  ok,
  type Printed,
  type Problem,
  page,
  problem,
  type Result,
  running,
  type ScreenPlace,
  SHELL_ENDED,
  type Success,
  shellData,
  stopped,
  TYPED_IN_SCREEN,
  TYPED_WHILE_RUNNING,
} from './result.ts'
export { asksSecret, readsSecret } from './secret-asked.ts'
export { type Cuts, MaskedStream, Masker, spellings } from './secrets.ts'
export { ID_CHARS, type Meant, meantBy, shortId } from './short-id.ts'
export { shownBytes } from './shown-bytes.ts'
export { encodeSse, parseSse, SSE_COMMENT, type SseEvent, SseParser } from './sse.ts'
export { type StoreView, shownStore } from './store-view.ts'
export { systemReason } from './system-reason.ts'
export { tellingReason } from './telling-line.ts'
export {
  count,
  countUpTo,
  listNames,
  quoted,
  strip,
  stripEnd,
  truncate,
  uncoloured,
  unseenIn,
  visibleLine,
  visibleText,
  withoutStyles,
} from './text.ts'
export {
  type AppTopic,
  appOf,
  COMMAND_MARKS,
  DEFAULT_TOPIC,
  HUBS,
  type Hub,
  invalidTopic,
  isHub,
  parseTopic,
  replyTopic,
  TOPIC_FORMS,
  TOPIC_TYPES,
  type Topic,
  type TopicType,
  writtenCommands,
} from './topic.ts'
export {
  AGENT_FILTERS,
  AGENT_ORDERS,
  AGENT_REMOVED,
  type AgentActivity,
  type AgentCounts,
  type AgentFilter,
  type AgentOrder,
  type AgentRow,
  type AgentSessionView,
  type AgentStanding,
  type AgentState,
  type AgentWork,
  CAP_NAMES,
  type Caps,
  DEFAULT_SESSION,
  FAILED_STATES,
  failedTries,
  type LimitUse,
  type LimitView,
  type LostRunView,
  type OverviewView,
  parseAttachments,
  parseTurnRequest,
  type StepBlockView,
  TURN_STATES,
  type TurnAsked,
  type TurnAttachment,
  type TurnBrief,
  type TurnEvent,
  type TurnProgress,
  type TurnResultView,
  type TurnRetryView,
  type TurnState,
  type TurnStepDetail,
  type TurnStepView,
  type TurnSummary,
  type TurnTryView,
  type TurnUsage,
  type TurnView,
  tellingCode,
  USAGE_GROUPS,
  type UsageGroup,
  type UsageView,
} from './turns.ts'
export { WATCH_KINDS, type WatchChange, type WatchKind, type WatchNews } from './watch.ts'
export { fillTyped, lineWords, splitTyped, splitWords, variableIn } from './words.ts'
export { isDeepYaml } from './yaml-shape.ts'
export { type PlainYaml, plainYaml, type YamlComplaint, yamlReason } from './yaml-words.ts'
