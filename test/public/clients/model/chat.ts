import { type Answer, type Dialect, type ModelRequest, REFUSED, sendEvents } from './dialect.ts'
import { contentAt, fieldsAt, listAt, textAt } from './json.ts'

/** Chat completions, as many makers speak them. */
export const CHAT: Dialect = {
  isQuestion: (path) => path === '/v1/chat/completions',
  read,
  write: (response, answer) => {
    sendEvents(response, chunks(answer), false)
    response.end('data: [DONE]\n\n')
  },
  refusal: () => ({ error: { message: REFUSED, type: 'invalid_request_error', code: 'invalid_api_key' } }),
}

function read(body: unknown): ModelRequest {
  const messages = listAt(body, 'messages')
  const contents = (role: string): string[] =>
    messages.filter((message) => message.role === role).map((message) => contentAt(message, 'content'))
  return {
    tools: listAt(body, 'tools').map((tool) => {
      const described = fieldsAt(tool, 'function')
      return {
        name: textAt(described, 'name'),
        namespace: null,
        description: textAt(described, 'description'),
        schema: described.parameters,
      }
    }),
    system: contents('system').join('\n'),
    said: contents('user'),
    results: contents('tool'),
  }
}

function chunks(answer: Answer): object[] {
  const base = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'scripted' }
  const choice = (delta: object, finish: string | null): object => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const delta =
    answer.kind === 'text'
      ? { role: 'assistant', content: answer.text }
      : {
          role: 'assistant',
          tool_calls: answer.calls.map(({ id, tool, args }, index) => ({
            index,
            id,
            type: 'function',
            function: { name: tool.name, arguments: JSON.stringify(args) },
          })),
        }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return [
    choice(delta, null),
    choice({}, answer.kind === 'text' ? 'stop' : 'tool_calls'),
    { ...base, choices: [], usage },
  ]
}
