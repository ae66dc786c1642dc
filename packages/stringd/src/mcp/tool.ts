import type { Tool } from '@modelcontextprotocol/server'
import { envelope, fail, invalidTopic, isFields, parseTopic, replyBody, replyTopic } from '@string-os/protocol'

/** The one tool. What it says must teach an agent enough to find the rest by itself. */
export const TOOL = {
  name: 'string',
  description: [
    'One text surface for files, web pages, shells, apps and events.',
    'A topic is a session of its own: it keeps its open document, variables and history.',
    'Send one slash command per call; a body, where a command takes one, follows on the next lines.',
    'Every day: /find TEXT [PATH], /open PATH, /replace PATH:L5-L7 (new lines as body), /append PATH, /exec COMMAND.',
    'Begin with /help (all commands; /help NAME for one) and /info (what is open here and what it offers).',
    'Apps and documents offer actions: /act --help lists them.',
    'A topic bash:NAME is a shell that stays open: every line you send there is shell input, and commands of String take two',
    'slashes: //help.',
  ].join(' '),
  inputSchema: {
    type: 'object',
    properties: {
      topic: { type: 'string', description: 'main by default; any NAME, app:NAME or bash:NAME' },
      cmd: { type: 'string', description: 'For example /open ./README.md' },
    },
    required: ['cmd'],
  },
} satisfies Tool

/** A command that an agent sends through the tool. */
export interface ToolCall {
  /** As it was written; it is a topic. */
  readonly topic: string
  readonly cmd: string
  /** Ends when the client has cancelled the call. */
  readonly signal?: AbortSignal | undefined
}

/** What came of it: the body as `/exec` shows it, and the topic in which it ran. */
export interface ToolReply {
  readonly ok: boolean
  readonly topic: string
  readonly body: string
}

/** Runs a command, for whichever agent is on the other side. */
export type McpExec = (call: ToolCall) => Promise<ToolReply>

/** A type, so that it fits where the SDK takes any object. */
export type ToolResult = { content: { type: 'text'; text: string }[]; isError: boolean }

/** Runs the tool: one text content, the envelope. Null when the arguments are not what its schema asks for. */
export async function callTool(args: unknown, exec: McpExec, signal?: AbortSignal): Promise<ToolResult | null> {
  if (!isFields(args)) return null
  const { topic, cmd } = args
  if (typeof cmd !== 'string' || (topic !== undefined && topic !== null && typeof topic !== 'string')) return null
  const written = topic ?? ''
  const reply = refusal(written, cmd) ?? (await exec({ topic: written, cmd, signal }))
  const text = envelope(replyTopic(reply.topic, written), reply.body)
  return { content: [{ type: 'text', text }], isError: !reply.ok }
}

/** What a session could never run is answered without one. */
function refusal(written: string, cmd: string): ToolReply | null {
  const topic = parseTopic(written)
  if (topic === null) return { ok: false, topic: 'main', body: replyBody(invalidTopic(written)) }
  if (cmd !== '') return null
  return {
    ok: false,
    topic: topic.canonical,
    body: replyBody(fail('USAGE', 'The command is empty', '/help lists all')),
  }
}
