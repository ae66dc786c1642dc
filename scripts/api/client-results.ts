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
  'Usage',
  'Approval',
  'Event',
  'InboxItem',
  'Delivery',
  'DeliveryDetail',
  'Webhook',
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

/** The types of results with all their fields, for the page of the client. */
export function clientResultTable(): string {
  const rows = SHOWN.map((name) => `| \`${clientName(name)}\` | ${fieldsOf(name)} |`)
  return ['| type | fields |', '|---|---|', ...rows].join('\n')
}

/** What two have in common is told once. */
const EXTENDS: Readonly<Record<string, string>> = {
  AgentActivity: 'Agent',
  Turn: 'TurnSummary',
  DeliveryDetail: 'Delivery',
  SessionShown: 'Session',
}

function fieldsOf(name: string): string {
  const schema = shape(name)
  const above = EXTENDS[name]
  const known = above === undefined ? {} : (shape(above).properties ?? {})
  const own = Object.entries(schema.properties ?? {}).filter(([field]) => !(field in known))
  const fields = own.map(([field, each]) => fieldText(field, each, schema.required?.includes(field) !== true))
  return [...(above === undefined ? [] : [`all of \`${clientName(above)}\``]), ...fields].join(', ')
}

function fieldText(name: string, schema: Schema, isOptional: boolean): string {
  const kind = kindOf(schema)
  const about =
    schema.description === undefined
      ? []
      : [schema.description.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())]
  const said = [...(kind === '' ? [] : [kind]), ...about]
  return `\`${name}\`${isOptional ? '?' : ''}${said.length === 0 ? '' : ` (${said.join('; ')})`}`
}

/** Empty for a text, which most are. */
function kindOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const { enum: words } = shape(name)
    return words === undefined ? `\`${clientName(name)}\`` : words.join(', ')
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
    return `{ ${Object.keys(schema.properties).join(', ')} }`
  return KINDS[schema.type ?? ''] ?? ''
}

const KINDS: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  null: 'null',
}

function shape(name: string): Schema {
  const found = SHAPES[name]
  if (found === undefined) throw new Error(`scripts/api/shapes.ts has no ${name}`)
  return found
}

function clientName(name: string): string {
  return CLIENT_NAMES[name] ?? name
}
