import { isFields } from '@string-os/protocol'
import { type Answer, type Dialect, type ModelRequest, REFUSED, sendEvents } from './dialect.ts'
import { contentAt, listAt, textAt } from './json.ts'

/** Anthropic's Messages API. */
export const ANTHROPIC: Dialect = {
  isQuestion: (path) => path === '/v1/messages',
  read,
  write: (response, answer) => {
    sendEvents(response, events(answer), true)
    response.end()
  },
  refusal: () => ({ type: 'error', error: { type: 'authentication_error', message: REFUSED } }),
}

function read(body: unknown): ModelRequest {
  const messages = listAt(body, 'messages')
  const parts = messages.filter(({ role }) => role === 'user').flatMap((message) => partsOf(message))
  return {
    tools: listAt(body, 'tools').map((tool) => ({
      name: textAt(tool, 'name'),
      namespace: null,
      description: textAt(tool, 'description'),
      schema: tool.input_schema,
    })),
    system: [body, ...messages.filter(({ role }) => role === 'system')]
      .map((part, index) => contentAt(part, index === 0 ? 'system' : 'content'))
      .join('\n'),
    said: parts.filter(({ type }) => type === 'text').map((part) => textAt(part, 'text')),
    results: parts.filter(({ type }) => type === 'tool_result').map((part) => contentAt(part, 'content')),
  }
}

function partsOf(message: unknown): readonly Record<string, unknown>[] {
  const whole = textAt(message, 'content')
  return whole === '' ? listAt(message, 'content').filter(isFields) : [{ type: 'text', text: whole }]
}

function events(answer: Answer): object[] {
  const blocks =
    answer.kind === 'text'
      ? [textBlock(answer.text)]
      : answer.calls.map(({ id, tool, args }, index) => callBlock(index, id, tool.name, JSON.stringify(args)))
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [], usage }
  const reason = answer.kind === 'text' ? 'end_turn' : 'tool_use'
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    ...blocks.flat(),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

function textBlock(text: string): object[] {
  return [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
  ]
}

function callBlock(index: number, id: string, name: string, json: string): object[] {
  return [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } },
    { type: 'content_block_stop', index },
  ]
}
