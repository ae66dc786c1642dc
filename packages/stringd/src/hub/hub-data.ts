import type { StoreView, Topic } from '@string-os/protocol'

export interface HubSession {
  readonly topic: Topic
  readonly isRunning: boolean
  /** Of the document that it shows. */
  readonly uri: string | null
}

export interface HubDelivery {
  readonly channel: string
  readonly target: string
  readonly state: string
  readonly createdAt: string
  readonly nextAt: string | null
  readonly reason: string | null
}

export interface HubTurn {
  readonly turn_id: string
  readonly created_at: string
  readonly session: string
  readonly state: string
  readonly code: string | null
  readonly message: string
}

export interface HubShell {
  readonly topic: string
  readonly cwd: string
  readonly running: { readonly command: string; readonly seconds: number } | null
}

export interface RecentError {
  readonly time: string
  readonly agent: string
  readonly topic: string
  readonly command: string
  readonly code: string
}

export interface HubPackage {
  readonly name: string
  readonly about: string | null
  /** Where it comes from. */
  readonly source: string
  readonly missing: readonly string[]
}

/** Everything that the hub pages tell, as plain data. */
export interface HubData {
  readonly system: {
    readonly version: string
    readonly pid: number
    readonly port: number
    readonly dataDir: string
    readonly startedAt: Date
    readonly now: Date
    readonly agents: number
    readonly topics: number
    /** What a command of `/exec` may take. */
    readonly execMs: number
    readonly store: StoreView
  }
  readonly agent: {
    readonly id: string
    readonly home: string
    readonly allowedPaths: readonly string[]
    readonly profile: string | null
    readonly createdAt: string
  }
  /** Of this agent. */
  readonly sessions: readonly HubSession[]
  /** Living shells of this agent, by their topic. */
  readonly shells: readonly HubShell[]
  /** Of this agent: what nobody has dealt with, newest first. */
  readonly inbox: {
    readonly pending: number
    readonly acked: number
    readonly newest: readonly { id: string; receivedAt: string; source: string; text: string }[]
  }
  readonly hasWebhook: boolean
  /** Of this agent, newest first. */
  readonly turns: readonly HubTurn[]
  readonly apps: readonly HubPackage[]
  /** Packages that lie in the home and were not installed here. */
  readonly foreign: readonly string[]
  readonly tools: readonly HubPackage[]
  /** Messages of this agent to other channels, newest first. */
  readonly deliveries: readonly HubDelivery[]
  /** Of this agent, newest first. */
  readonly errors: readonly RecentError[]
}
