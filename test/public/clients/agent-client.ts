import type { Package } from './install.ts'
import type { Dialect, ModelTool } from './model/dialect.ts'

/** Where a client lives while it is tried: nothing of the person who runs the tests is in sight. */
export interface ClientHome {
  readonly home: string
  readonly project: string
  /** The scripted model. */
  readonly modelPort: number
}

/** How a person stops a call, and the client goes on. */
export type Cancel =
  /** JSON lines on standard input, as its SDK writes them. */
  | { readonly by: 'stream'; readonly args: readonly string[]; readonly say: object; readonly stop: object }
  /** The Agent Client Protocol, as an editor speaks it. */
  | { readonly by: 'acp'; readonly args: readonly string[] }
  /** Ctrl-C, which ends this one. */
  | { readonly by: 'signal' }

/** One of the programs that are run against String. */
export interface AgentClient extends Package {
  /** As `string mcp-config` takes it. */
  readonly id: string
  readonly name: string
  readonly dialect: Dialect
  /** Its folder in `examples/agents`. */
  readonly example: string
  readonly isOurs: (tool: ModelTool) => boolean
  /** Files that it needs to find the scripted model, beside the configuration of String. */
  readonly files: (home: ClientHome) => Readonly<Record<string, string>>
  readonly env: (home: ClientHome) => Readonly<Record<string, string>>
  /** One turn without a person. */
  readonly args: (prompt: string) => readonly string[]
  /** What the `args` of its example profile must say for the scripted model and for the tool. */
  readonly profileArgs: readonly string[]
  readonly cancel: Cancel
}
