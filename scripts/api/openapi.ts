import type { Operation, Parameter } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { ref, text } from './schema.ts'
import { SHAPES } from './shapes.ts'

const ABOUT = `The daemon of String, for programs of the user who runs it. Written by npm run docs from scripts/api.

Fields may be added to any object. Where an answer has \`x-event-stream\`, it is that stream of events without the header \`Accept: application/json\`, and with it the object.

Errors are \`{ "error", "message"? }\`. Every route may also answer 400 (malformed), 403 (another user, a foreign page), 408, 413, 415, 431 and 503.`

/** The description of the API as an OpenAPI document. */
export function openApi(version: string, port: number): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [route, operation] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = route.split(' ')
    const template = path.replace(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: describe(path, operation) }
  }
  return opened({
    openapi: '3.1.0',
    info: { title: 'String', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `http://127.0.0.1:${port}`, description: 'This machine; STRING_PORT chooses another port' }],
    security: [{}, { key: [] }],
    tags: [...new Set(Object.values(OPERATIONS).map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: SHAPES,
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-String-Key',
          description:
            'The `key` of daemon.json in the data folder. Without it the system is asked whose the connection is.',
        },
      },
    },
  })
}

/** Fields may be added later: whoever reads the description must take them. The test of it takes none that nobody described. */
function opened(document: object): object {
  const known = JSON.stringify(document, (key, value: unknown) => (key === 'additionalProperties' ? undefined : value))
  return JSON.parse(known) as object
}

function describe(path: string, operation: Operation): object {
  const { id, group, summary, details, headers = {}, query = {}, answers, refused } = operation
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: text })),
    ...Object.entries(query).map(([name, each]) => parameter(name, 'query', each)),
    ...Object.entries(headers).map(([name, each]) => parameter(name, 'header', each)),
  ]
  const responses: Record<string, object> = { default: failure('Refused') }
  for (const [status, answer] of Object.entries(answers))
    responses[status] = { description: answer.about, ...content(answer) }
  for (const [status, reason] of Object.entries(refused)) responses[status] = failure(reason)
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(details !== undefined && { description: details }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation),
    responses,
  }
}

function parameter(name: string, where: string, { about, schema = text, required }: Parameter): object {
  return { name, in: where, description: about, ...(required && { required }), schema }
}

function requestBody({ body, isBodyOptional, tries }: Operation): object {
  const good = tries.find(({ status }) => status < 400)
  if (body === undefined && good?.text === undefined) return {}
  const type = body === undefined ? 'text/plain' : 'application/json'
  const example = good?.body ?? good?.text
  return {
    requestBody: {
      required: isBodyOptional !== true,
      content: { [type]: { schema: body ?? text, ...(example !== undefined && { example }) } },
    },
  }
}

function content({ json, events }: Operation['answers'][number]): object {
  if (json === undefined && events === undefined) return {}
  // What the data of each event is: OpenAPI has no word for it.
  if (json === undefined) return { content: { 'text/event-stream': { schema: text, 'x-events': events } } }
  const object = { content: { 'application/json': { schema: json } } }
  // As a second content it would make the object of every generated type one of two things, whatever was asked for.
  return events === undefined ? object : { ...object, 'x-event-stream': events }
}

function failure(description: string): object {
  return { description, content: { 'application/json': { schema: ref('Error') } } }
}
