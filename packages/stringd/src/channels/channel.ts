export interface SmtpChannel {
  readonly type: 'smtp'
  readonly url: URL
  readonly from: string
  readonly allow: readonly string[]
  readonly secrets: readonly string[]
}

export interface WebhookChannel {
  readonly type: 'webhook'
  /** Where each target's messages go; whoever has the address may post there, so it is a secret. */
  readonly targets: ReadonlyMap<string, URL>
  /** JSON in whose texts `{text}` and `{target}` are put in. */
  readonly template: unknown
  readonly secrets: readonly string[]
}

export interface AgentChannel {
  readonly type: 'agent'
  /** Null: every agent of this daemon. */
  readonly allow: readonly string[] | null
  readonly secrets: readonly string[]
}

/** A channel as a person configured it. */
export type Channel = SmtpChannel | WebhookChannel | AgentChannel

export const AGENT_CHANNEL: AgentChannel = { type: 'agent', allow: null, secrets: [] }
