import type { Writable } from 'node:stream'
import { LIMITS } from '@string-os/protocol'
import type { Profile } from './profile.ts'
import type { Permission, PermissionRequest, TurnOptions } from './turn.ts'
import type { WireRow } from './wire.ts'
import { WIRES } from './wires.ts'

/** Standard input of an agent: its beginning, and the answers to what it asks. */
export class AgentInput {
  readonly #stdin: Writable | null
  readonly #profile: Profile
  readonly #permissionLine: WireRow['permissionLine']
  readonly #ask: TurnOptions['onPermission']
  readonly #over = new AbortController()
  #waiting = 0
  #answered: Promise<void> = Promise.resolve()

  constructor(stdin: Writable | null, profile: Profile, ask: TurnOptions['onPermission']) {
    this.#stdin = stdin
    this.#profile = profile
    this.#permissionLine = WIRES[profile.wire].permissionLine
    this.#ask = ask
    stdin?.on('error', () => {
      // An agent need not read its input.
    })
  }

  /** Where permission may be asked for, input stays open behind its beginning. */
  begin(text: string): void {
    if (this.#permissionLine !== null && this.#profile.permission) this.#stdin?.write(text)
    else this.#stdin?.end(text)
  }

  /** Answers requests one after the other: a person reads one question at a time, and an agent its answers in order. */
  answer(request: PermissionRequest, warn: (text: string) => void): void {
    if (this.#waiting >= LIMITS.agentPermissionsWaiting) return this.#respond(request, 'deny')
    this.#waiting += 1
    this.#answered = this.#answered.then(async () => {
      this.#respond(request, await this.#decide(request, warn))
      this.#waiting -= 1
    })
  }

  /** The end of input, for an agent that waits for it. */
  close(): void {
    this.#stdin?.end()
  }

  /** The turn is over: whoever is being asked need not answer any more. */
  stop(): void {
    this.#over.abort()
    this.#stdin?.destroy()
  }

  async #decide(request: PermissionRequest, warn: (text: string) => void): Promise<Permission> {
    if (this.#ask === undefined || this.#over.signal.aborted)
      return this.#profile.permissionPolicy === 'allow' ? 'allow' : 'deny'
    try {
      return await this.#ask(request, this.#over.signal)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      warn(`Asking for permission failed, so it was denied: ${reason}`)
      return 'deny'
    }
  }

  #respond({ request_id }: PermissionRequest, behavior: Permission): void {
    if (this.#permissionLine !== null && this.#stdin?.writable === true)
      this.#stdin.write(this.#permissionLine(request_id, behavior))
  }
}
