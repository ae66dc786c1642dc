import type { ServerResponse } from 'node:http'

/** A tool as a client shows it to its model. */
export interface ModelTool {
  readonly name: string
  /** The group in which the tool stands, where the dialect has groups. */
  readonly namespace: string | null
  readonly description: string
  readonly schema: unknown
}

/** One request of a client to its model, whichever dialect it came in. */
export interface ModelRequest {
  readonly tools: readonly ModelTool[]
  /** Everything that is neither tool nor conversation: system prompts, instructions, descriptions of groups. */
  readonly system: string
  /** What the person, or the client in their name, wrote: all turns. */
  readonly said: readonly string[]
  /** What tools answered: all turns. */
  readonly results: readonly string[]
}

/** What a scripted model says to a request. */
export type ModelReply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'calls'; readonly calls: readonly ToolArguments[] }
  | { readonly kind: 'refusal'; readonly status: number }

export interface ToolArguments {
  readonly topic?: string
  readonly cmd: string
}

/** How one maker's API is spoken. */
export interface Dialect {
  /** Whether a request asks for an answer of the model; others get an empty object. */
  readonly isQuestion: (path: string) => boolean
  readonly read: (body: unknown) => ModelRequest
  /** Writes an answer: a text, or calls of the tool under the name that it has in the request. */
  readonly write: (response: ServerResponse, reply: Answer, path: string) => void
  /** The body of a refusal. */
  readonly refusal: (status: number) => object
}

export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'calls'; readonly calls: readonly NamedCall[] }

export interface NamedCall {
  readonly id: string
  readonly tool: ModelTool
  readonly args: ToolArguments
}

export const REFUSED = 'The key is not valid'

/** Server-sent events, each with the type that it carries where `named`. */
export function sendEvents(response: ServerResponse, events: readonly object[], named: boolean): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const event of events) {
    const name = named && 'type' in event ? `event: ${String(event.type)}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
}
