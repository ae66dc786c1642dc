import type { ServerResponse } from 'node:http'
import { isFields } from '@string-os/protocol'
import { type Answer, type Dialect, type ModelRequest, REFUSED, sendEvents } from './dialect.ts'
import { contentAt, fieldsAt, listAt, textAt } from './json.ts'

/** Google's Gemini API. */
export const GEMINI: Dialect = {
  isQuestion: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  read,
  write,
  refusal: (status) => ({ error: { code: status, message: REFUSED, status: 'UNAUTHENTICATED' } }),
}

function read(body: unknown): ModelRequest {
  const parts = listAt(body, 'contents')
    .filter(({ role }) => role === 'user')
    .flatMap((content) => listAt(content, 'parts'))
  return {
    tools: listAt(body, 'tools')
      .flatMap((group) => listAt(group, 'functionDeclarations'))
      .map((tool) => ({
        name: textAt(tool, 'name'),
        namespace: null,
        description: textAt(tool, 'description'),
        schema: tool.parametersJsonSchema ?? tool.parameters,
      })),
    system: contentAt(fieldsAt(body, 'systemInstruction'), 'parts'),
    said: parts.filter(({ text }) => typeof text === 'string').map((part) => textAt(part, 'text')),
    results: parts
      .filter(({ functionResponse }) => isFields(functionResponse))
      .map((part) => resultOf(fieldsAt(fieldsAt(part, 'functionResponse'), 'response'))),
  }
}

function resultOf(response: Record<string, unknown>): string {
  return textAt(response, 'output') || textAt(response, 'error') || JSON.stringify(response)
}

function write(response: ServerResponse, answer: Answer, path: string): void {
  const parts =
    answer.kind === 'text'
      ? [{ text: answer.text }]
      : answer.calls.map(({ id, tool, args }) => ({ functionCall: { id, name: tool.name, args } }))
  const whole = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }
  if (path.includes(':stream')) {
    sendEvents(response, [whole], false)
    response.end()
    return
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(whole))
}
