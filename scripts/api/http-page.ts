import type { Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import type { Schema } from './schema.ts'
import { SHAPES } from './shapes.ts'

/** `docs/reference/http.md`: every route with what it takes and answers, and every shape. */
export function httpPage(): string {
  const groups = [...new Set(Object.values(OPERATIONS).map(({ group }) => group))]
  const sections = groups.map((group) => {
    const routes = Object.entries(OPERATIONS).filter(([, operation]) => operation.group === group)
    return [`## ${group}`, ...routes.map(([route, operation]) => routeText(route, operation))].join('\n\n')
  })
  const shapes = Object.entries(SHAPES).map(([name, schema]) => `| ${name} | ${typeText(schema)} |`)
  return [
    '# Every route',
    '<!-- Written by npm run docs from scripts/api. -->',
    'How to speak to the daemon is in [http.md](../http.md). The same for programs: [openapi.json](../openapi.json). Fields with a `?` may be missing.',
    ...sections,
    '## Shapes',
    ['| shape | |', '|---|---|', ...shapes].join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n')
}

function routeText(route: string, operation: Operation): string {
  const { summary, details, headers = {}, query = {}, body, isBodyOptional, answers, refused, tries } = operation
  const rows = [
    ...Object.entries(headers).map(
      ([name, { about, required }]) => `- header \`${name}\`${required ? '' : '?'}: ${about}`,
    ),
    ...Object.entries(query).map(([name, { about }]) => `- query \`${name}\`?: ${about}`),
    ...(body === undefined ? [] : [`- body${isBodyOptional ? '?' : ''}: ${typeText(body)}`]),
    ...(tries.some(({ text }) => text !== undefined) ? ['- body: text'] : []),
    ...Object.entries(answers).map(([status, answer]) => `- ${status} ${answer.about}${answerText(answer)}`),
    ...Object.entries(refused).map(([status, reason]) => `- ${status} ${reason}`),
  ]
  return [`### ${route}`, `${summary}.${details === undefined ? '' : ` ${details}`}`, rows.join('\n')].join('\n\n')
}

function answerText({ json, events }: Operation['answers'][number]): string {
  const told = Object.entries(events ?? {}).map(([event, schema]) => `\`${event}\` ${typeText(schema)}`)
  const forms = [
    ...(json === undefined ? [] : [typeText(json)]),
    ...(told.length === 0 ? [] : [`events ${told.join(', ')}`]),
  ]
  return forms.length === 0 ? '' : `: ${forms.join('; or ')}`
}

/** A schema in a line, with names of shapes where there are. */
function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(' or ')
  if (schema.type === 'array') return `[ ${typeText(schema.items ?? {})} ]`
  if (schema.type !== 'object' || schema.properties === undefined) return schema.type ?? 'anything'
  const fields = Object.entries(schema.properties).map(
    ([name, each]) => `\`${name}\`${schema.required?.includes(name) ? '' : '?'} ${typeText(each)}`,
  )
  return `{ ${fields.join(', ')} }`
}
