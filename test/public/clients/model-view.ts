import type { AgentClient } from './agent-client.ts'
import type { ModelRequest } from './model/dialect.ts'

/** What a model is shown of String, with the tokens that it costs: name, description, schema, instructions. */
export function modelView(
  { name, isOurs }: AgentClient,
  requests: readonly ModelRequest[],
  tokens: (text: string) => number,
): string {
  const [request] = requests
  const tool = request?.tools.find(isOurs)
  if (request === undefined || tool === undefined) return `${name}: the tool was not shown`
  const schema = JSON.stringify(tool.schema)
  const around = [request.system, ...request.said].join('\n')
  const place = around.search(/\/events|\/help/)
  const instructions = place === -1 ? '(none)' : around.slice(Math.max(place - 250, 0), place + 250)
  return [
    `${name}: what its model sees`,
    `  name: ${tool.namespace === null ? '' : `${tool.namespace} / `}${tool.name}`,
    `  description (${tokens(tool.description)} tokens): ${tool.description}`,
    `  schema (${tokens(schema)} tokens): ${schema}`,
    `  instructions, and what stands around them: ${JSON.stringify(instructions)}`,
  ].join('\n')
}
