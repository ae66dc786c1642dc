import { isFields } from '@string-os/protocol'
import type { AgentClient } from './agent-client.ts'
import type { ModelRequest } from './model/dialect.ts'
import { fieldsAt, textAt } from './model/json.ts'
import type { WireEntry } from './tap.ts'

/** What a model is shown of String, with the tokens that it costs: name, description, schema, instructions. */
export function modelView(
  { name, isOurs }: AgentClient,
  [request]: readonly ModelRequest[],
  wire: readonly WireEntry[],
  tokens: (text: string) => number,
): string {
  const tool = request?.tools.find(isOurs)
  if (request === undefined || tool === undefined) return `${name}: the tool was not shown`
  const schema = JSON.stringify(tool.schema)
  const instructions = instructionsIn(wire)
  const [firstLine = ''] = instructions.split('\n')
  const isShown = [request.system, ...request.said].join('\n').includes(firstLine)
  return [
    `${name}: what its model sees`,
    `  name: ${tool.namespace === null ? '' : `${tool.namespace} / `}${tool.name}`,
    `  description (${tokens(tool.description)} tokens): ${tool.description}`,
    `  schema (${tokens(schema)} tokens): ${schema}`,
    `  instructions (${tokens(instructions)} tokens, ${isShown ? 'shown' : 'not shown'}): ${instructions}`,
  ].join('\n')
}

/** As `string --mcp` gave them in the handshake. */
function instructionsIn(wire: readonly WireEntry[]): string {
  const results = wire.flatMap((entry) => (entry.from === 'server' && isFields(entry.message) ? [entry.message] : []))
  return results.map((message) => textAt(fieldsAt(message, 'result'), 'instructions')).find((text) => text !== '') ?? ''
}
