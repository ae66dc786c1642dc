import { type Answer, type Dialect, type ModelRequest, type ModelTool, REFUSED, sendEvents } from './dialect.ts'
import { contentAt, listAt, textAt } from './json.ts'

/** OpenAI's Responses API. */
export const RESPONSES: Dialect = {
  isQuestion: (path) => path === '/v1/responses',
  read,
  write: (response, answer) => {
    sendEvents(response, events(answer), true)
    response.end()
  },
  refusal: () => ({ error: { message: REFUSED, type: 'invalid_request_error', code: 'invalid_api_key' } }),
}

function read(body: unknown): ModelRequest {
  const input = listAt(body, 'input')
  const messages = input.filter(({ type }) => type === 'message')
  const groups = listAt(body, 'tools').filter(({ type }) => type === 'namespace')
  const instructions = messages.filter(({ role }) => role !== 'user' && role !== 'assistant')
  return {
    tools: [...functions(body, null), ...groups.flatMap((group) => functions(group, textAt(group, 'name')))],
    system: [
      textAt(body, 'instructions'),
      ...instructions.map((message) => contentAt(message, 'content')),
      ...groups.map((group) => textAt(group, 'description')),
    ].join('\n'),
    said: messages.filter(({ role }) => role === 'user').map((message) => contentAt(message, 'content')),
    results: input.filter(({ type }) => type === 'function_call_output').map((item) => contentAt(item, 'output')),
  }
}

function functions(parent: unknown, namespace: string | null): ModelTool[] {
  return listAt(parent, 'tools')
    .filter(({ type }) => type === 'function')
    .map((tool) => ({
      name: textAt(tool, 'name'),
      namespace,
      description: textAt(tool, 'description'),
      schema: tool.parameters,
    }))
}

function events(answer: Answer): object[] {
  const items =
    answer.kind === 'text'
      ? [{ type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: answer.text }] }]
      : answer.calls.map(({ id, tool, args }) => ({
          type: 'function_call',
          id: `fc_${id}`,
          call_id: id,
          name: tool.name,
          ...(tool.namespace === null ? {} : { namespace: tool.namespace }),
          arguments: JSON.stringify(args),
        }))
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2,
  }
  return [
    { type: 'response.created', response: { id: 'resp_1' } },
    ...items.map((item, index) => ({ type: 'response.output_item.done', output_index: index, item })),
    { type: 'response.completed', response: { id: 'resp_1', usage } },
  ]
}
