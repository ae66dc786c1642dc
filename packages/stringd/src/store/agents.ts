import { isUtf8 } from 'node:buffer'
import { hash, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { type Failure, fail, isAgentId, isFields, LIMITS, parseJson } from '@string-os/protocol'
import type { Log } from '../log.ts'
import { writeFileAtomic } from './atomic-file.ts'
import { isDiskFull } from './disk-full.ts'
import { asideName } from './odd-file.ts'
import { ensurePrivateDir, whyNoFolder } from './private-dir.ts'
import { realOr } from './real-path.ts'

export interface Agent {
  readonly id: string
  readonly home: string
  readonly allowedPaths: readonly string[]
  readonly createdAt: string
  readonly profile?: string
  /** The secret of its webhook's URL: never shown but by the command that asks for it. */
  readonly webhookToken?: string
}

/** What a registration gives; a field that is undefined stays as it was. */
export interface Registration {
  readonly agentId: string
  readonly home: string | undefined
  readonly allowedPaths: readonly string[] | undefined
  readonly profile: string | undefined
}

export type Registered = { readonly ok: true; readonly agent: Agent; readonly created: boolean }

type Agents = ReadonlyMap<string, Agent>
/** An agent came, went or was changed, or its webhook has another address. */
export type AgentListener = (what: 'agent' | 'webhook', id: string, isGone: boolean) => void

interface Mutation {
  readonly apply: (draft: Map<string, Agent>) => void
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

interface RegistryParts {
  readonly path: string
  readonly agents: Agents
  readonly defaultHome: (id: string) => string
  readonly listener: AgentListener
  readonly log: Log
}

/** The agents, in memory and in `agents.json`. A promise that resolves means: it is on the disk. */
export class AgentRegistry {
  readonly #path: string
  readonly #defaultHome: (id: string) => string
  #agents: Agents
  #homes: ReadonlySet<string> = new Set()
  #homesOf: Agents | null = null
  #byToken: ReadonlyMap<string, Agent> = new Map()
  #tokensOf: Agents | null = null
  #pending: Mutation[] = []
  #writing = false
  readonly #listener: AgentListener
  readonly #log: Log
  /** Agents whose homes were made anew, of which no turn has told yet. */
  readonly #anew = new Set<string>()

  constructor({ path, agents, defaultHome, listener, log }: RegistryParts) {
    this.#log = log
    this.#listener = listener
    this.#path = path
    this.#agents = agents
    this.#defaultHome = defaultHome
  }

  get size(): number {
    return this.#agents.size
  }

  get(id: string): Agent | undefined {
    return this.#agents.get(id)
  }

  /** Whether some agent lives in this folder, by its real path. */
  isHome(real: string): boolean {
    if (this.#homesOf !== this.#agents) this.#homes = new Set(this.list().map(({ home }) => realOr(home)))
    this.#homesOf = this.#agents
    return this.#homes.has(real)
  }

  list(): Agent[] {
    return [...this.#agents.values()]
  }

  /** The agent as a registration would leave it. */
  preview(request: Registration): Agent {
    return this.#merge(this.#agents.get(request.agentId), request)
  }

  /** Makes or updates an agent, and its home folder. */
  async register(request: Registration): Promise<Registered | Failure> {
    const stored = this.#agents.get(request.agentId)
    if (stored === undefined && this.#agents.size >= LIMITS.agents) return tooMany()
    const next = this.preview(request)
    if (makeHome(next.home) && stored?.home === next.home) this.#noteAnew(stored)
    if (stored !== undefined && isSame(stored, next)) return { ok: true, agent: stored, created: false }
    let outcome: Registered | Failure = tooMany()
    await this.#change((draft) => {
      const current = draft.get(request.agentId)
      // Others that came at the same time may have taken the last places.
      if (current === undefined && draft.size >= LIMITS.agents) return
      outcome = { ok: true, agent: this.#merge(current, request), created: current === undefined }
      draft.set(request.agentId, outcome.agent)
    })
    this.#listener('agent', request.agentId, false)
    return outcome
  }

  #noteAnew({ id, home }: Agent): void {
    this.#anew.add(id)
    const reason = `${home} was gone, and is empty now: whoever removed it, or did not mount it, can put it back`
    this.#log.warn('The home of an agent was made anew', { agent: id, reason })
  }

  /** Whether the home of an agent was gone and had to be made anew; once, so that the next of its turns tells it. */
  isHomeAnew(id: string): boolean {
    return this.#anew.delete(id)
  }

  /** The agent whose webhook has this token. Found by digest, so that the time tells nothing about the token. */
  byWebhookToken(token: string): Agent | undefined {
    if (this.#tokensOf !== this.#agents) this.#byToken = agentsByToken(this.list())
    this.#tokensOf = this.#agents
    return this.#byToken.get(digest(token))
  }

  /** The webhook token of an agent, made when there is none or when a new one is wanted; null without that agent. */
  async webhookToken(id: string, renew: boolean): Promise<string | null> {
    const stored = this.#agents.get(id)?.webhookToken
    if (stored !== undefined && !renew) return stored
    let token: string | null = null
    await this.#change((draft) => {
      const agent = draft.get(id)
      if (agent === undefined) return
      token = (renew ? undefined : agent.webhookToken) ?? this.newToken()
      draft.set(id, { ...agent, webhookToken: token })
    })
    this.#listener('webhook', id, false)
    return token
  }

  newToken(): string {
    return `wh_${randomBytes(24).toString('base64url')}`
  }

  /** An agent as it is given, which another node has had, or one that this node has in the store. */
  async adopt(agent: Agent): Promise<void> {
    await this.#change((draft) => void draft.set(agent.id, agent))
    this.#listener('agent', agent.id, false)
  }

  /** Its token is another one, of which the store knows. */
  async putToken(id: string, token: string): Promise<void> {
    await this.#change((draft) => {
      const agent = draft.get(id)
      if (agent !== undefined) draft.set(id, { ...agent, webhookToken: token })
    })
    this.#listener('webhook', id, false)
  }

  /** Forgets an agent; its files stay. */
  async remove(id: string): Promise<boolean> {
    if (!this.#agents.has(id)) return false
    let removed = false
    await this.#change((draft) => {
      removed = draft.delete(id)
    })
    this.#listener('agent', id, true)
    return removed
  }

  #merge(stored: Agent | undefined, { agentId, home, allowedPaths, profile }: Registration): Agent {
    const kept = profile ?? stored?.profile
    return {
      id: agentId,
      home: home ?? stored?.home ?? this.#defaultHome(agentId),
      allowedPaths: allowedPaths ?? stored?.allowedPaths ?? [],
      createdAt: stored?.createdAt ?? new Date().toISOString(),
      ...(kept === undefined ? {} : { profile: kept }),
      ...(stored?.webhookToken === undefined ? {} : { webhookToken: stored.webhookToken }),
    }
  }

  #change(apply: Mutation['apply']): Promise<void> {
    return new Promise((done, failed) => {
      this.#pending.push({ apply, done, failed })
      if (!this.#writing) void this.#flush()
    })
  }

  /** Everything that waits goes into one write; memory changes only once the disk has. */
  async #flush(): Promise<void> {
    this.#writing = true
    while (this.#pending.length > 0) {
      const batch = this.#pending
      this.#pending = []
      const draft = new Map(this.#agents)
      for (const { apply } of batch) apply(draft)
      try {
        await writeFileAtomic(this.#path, serialize(draft))
        this.#agents = draft
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.#writing = false
  }
}

/** A home that cannot be made is the caller's to mend; a registry that cannot be written, or a full disk, is ours. */
export class HomeRefused extends Error {
  override readonly name = 'HomeRefused'
  readonly code: string

  constructor(home: string, code: string) {
    const why = whyNoFolder(code)
    super(`Cannot create home ${home}: ${why.includes(code) ? why : `${why} (${code})`}`)
    this.code = code
  }
}

/** False: it is there. */
function makeHome(home: string): boolean {
  try {
    return ensurePrivateDir(home)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined || isDiskFull(error) ? error : new HomeRefused(home, code)
  }
}

/** Reads `agents.json`. What is damaged is kept aside and named in the log; all that is whole lives on. */
export async function loadAgents(
  path: string,
  defaultHome: (id: string) => string,
  log: Log,
  listener: AgentListener = () => undefined,
): Promise<AgentRegistry> {
  const { agents, lost } = parseAgents(readOrNull(path, log))
  const registry = new AgentRegistry({ path, agents, defaultHome, listener, log })
  if (lost !== null) {
    const aside = asideName(path)
    copyFileSync(path, aside)
    log.error(`${path} was damaged: ${lost}; it is kept as ${aside}`, { kept: agents.size })
    await writeFileAtomic(path, serialize(agents))
  }
  return registry
}

/** What `agents.json` holds, and what of it cannot be read; nothing is changed. */
export function peekAgents(path: string): { agents: readonly Agent[]; lost: string | null } {
  const { agents, lost } = parseAgents(existsSync(path) ? readFileSync(path) : null)
  return { agents: [...agents.values()], lost }
}

function tooMany(): Failure {
  return fail('LIMIT_REACHED', `There are ${LIMITS.agents} agents already`, 'string agent remove ID removes one')
}

function agentsByToken(agents: readonly Agent[]): Map<string, Agent> {
  return new Map(
    agents.flatMap((agent) => (agent.webhookToken === undefined ? [] : [[digest(agent.webhookToken), agent] as const])),
  )
}

function digest(token: string): string {
  return hash('sha256', token, 'base64')
}

function serialize(agents: Agents): string {
  return `${JSON.stringify({ agents: [...agents.values()] }, null, 2)}\n`
}

function readOrNull(path: string, log: Log): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    // What the system does not give us now may be whole: only what can never be read is set aside.
    if (code !== 'EISDIR' && code !== 'ELOOP') throw error
    const aside = asideName(path)
    renameSync(path, aside)
    log.error(`${path} could not be read (${code}): all agents are lost; it is kept as ${aside}`)
    return null
  }
}

function parseAgents(bytes: Buffer | null): { agents: Agents; lost: string | null } {
  const agents = new Map<string, Agent>()
  if (bytes === null) return { agents, lost: null }
  const records = recordsOf(bytes.toString('utf8'))
  if (records === null) return { agents, lost: 'it holds no list of agents, so all agents are lost' }
  // Where bytes were no text, their place is marked: such a record names something else than what was stored.
  const isWhole = isUtf8(bytes)
  const isTorn = (record: unknown): boolean => !isWhole && JSON.stringify(record).includes('\ufffd')
  for (const record of records) {
    const agent = isTorn(record) ? null : parseAgent(record)
    if (agent !== null && !agents.has(agent.id)) agents.set(agent.id, agent)
  }
  const bad = records.length - agents.size
  return { agents, lost: bad === 0 ? null : `${bad} of ${records.length} agents could not be read` }
}

function recordsOf(text: string): unknown[] | null {
  const value = parseJson(text)
  return isFields(value) && Array.isArray(value.agents) ? value.agents : null
}

function parseAgent(record: unknown): Agent | null {
  if (!isFields(record)) return null
  const { id, home, allowedPaths, createdAt, profile, webhookToken } = record
  if (typeof id !== 'string' || !isAgentId(id)) return null
  if (!isAbsolute(home) || typeof createdAt !== 'string') return null
  if (!Array.isArray(allowedPaths) || !allowedPaths.every(isAbsolute)) return null
  return {
    id,
    home,
    allowedPaths,
    createdAt,
    ...(isAbsolute(profile) ? { profile } : {}),
    ...(isToken(webhookToken) ? { webhookToken } : {}),
  }
}

function isAbsolute(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/') && !value.includes('\0') && value.isWellFormed()
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^wh_[A-Za-z0-9_-]{22,}$/.test(value)
}

function isSame(a: Agent, b: Agent): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
