import type { Schema } from './schema.ts'
import { SHAPES } from './shapes.ts'

/** What the client calls a shape of the daemon, where that is another name. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  Agent: 'AgentRow',
  AgentSession: 'AgentSessionView',
  Approval: 'ApprovalView',
  Completion: 'CompletionView',
  Delivery: 'DeliveryView',
  Doctor: 'DoctorView',
  Event: 'EventView',
  Fleet: 'FleetView',
  LogLine: 'LogEntry',
  Overview: 'OverviewView',
  Session: 'SessionView',
  Turn: 'TurnView',
  TurnResult: 'TurnResultView',
  TurnStep: 'TurnStepView',
  TurnTry: 'TurnTryView',
  TurnRetry: 'TurnRetryView',
  Usage: 'UsageView',
  Webhook: 'WebhookView',
}

/** Shapes that a result is, or has inside. */
const SHOWN = [
  'Agent',
  'AgentActivity',
  'AgentRegistered',
  'AgentStanding',
  'AgentSession',
  'TurnSummary',
  'Turn',
  'TurnResult',
  'TurnUsage',
  'TurnStep',
  'TurnTry',
  'TurnRetry',
  'TurnProgress',
  'Usage',
  'Approval',
  'Event',
  'InboxItem',
  'Delivery',
  'DeliveryDetail',
  'Webhook',
  'WebhookPeek',
  'Session',
  'SessionShown',
  'DocumentMeta',
  'ChanFlowReply',
  'Completion',
  'Overview',
  'AgentCounts',
  'Health',
  'Doctor',
  'LogLine',
  'Fleet',
  'AgentMoved',
]

/** The types of results, a table of its fields each, for the page of the client. */
export function clientResultTable(): string {
  return SHOWN.map((name) => {
    const above = EXTENDS[name]
    const inherited = above === undefined ? [] : [`All of ${linked(above)}, and:`, '']
    return [`### ${clientName(name)}`, '', ...inherited, '| field | is | |', '|---|---|---|', ...rowsOf(name)].join(
      '\n',
    )
  }).join('\n\n')
}

function linked(name: string): string {
  return `[\`${clientName(name)}\`](#${clientName(name).toLowerCase()})`
}

/** What two have in common is told once. */
const EXTENDS: Readonly<Record<string, string>> = {
  AgentActivity: 'Agent',
  Turn: 'TurnSummary',
  DeliveryDetail: 'Delivery',
  SessionShown: 'Session',
}

function rowsOf(name: string): string[] {
  const schema = shape(name)
  const above = EXTENDS[name]
  const known = above === undefined ? {} : (shape(above).properties ?? {})
  const own = Object.entries(schema.properties ?? {}).filter(([field]) => !(field in known))
  return own.map(([field, each]) => fieldRow(field, each, schema.required?.includes(field) !== true))
}

function fieldRow(name: string, schema: Schema, isOptional: boolean): string {
  const kind = kindOf(schema)
  const is = kind === '' || kind.startsWith('or ') ? `text ${kind}`.trim() : kind
  const about = (schema.description ?? '').replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
  return `| \`${name}\`${isOptional ? '?' : ''} | ${is} | ${about} |`.replace('|  |', '| |')
}

/** Empty for a text, which most are. */
function kindOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const { enum: words } = shape(name)
    return words === undefined ? (SHOWN.includes(name) ? linked(name) : `\`${clientName(name)}\``) : words.join(', ')
  }
  if (schema.anyOf !== undefined) {
    const kinds = schema.anyOf.map(kindOf)
    return kinds
      .map((kind, index) => (kind === '' && index > 0 ? 'text' : kind))
      .join(' or ')
      .trim()
  }
  if (schema.enum !== undefined) return schema.enum.join(', ')
  if (schema.type === 'array') return `list of ${kindOf(schema.items ?? {}) || 'texts'}`
  if (schema.type === 'object' && schema.properties !== undefined)
    return `{ ${Object.keys(schema.properties)
      .map((name) => (schema.required?.includes(name) === true ? name : `${name}?`))
      .join(', ')} }`
  return KINDS[schema.type ?? ''] ?? ''
}

const KINDS: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  null: 'null',
}

export function shape(name: string): Schema {
  const found = SHAPES[name]
  if (found === undefined) throw new Error(`scripts/api/shapes.ts has no ${name}`)
  return found
}

export function clientName(name: string): string {
  return CLIENT_NAMES[name] ?? name
}
