import { type Data, fail, ok, type SessionView } from '@string-os/protocol'
import { defineCommand } from '../core/define.ts'

const TYPES = ['tab', 'app', 'bash', 'hub']

export const topics = defineCommand({
  name: 'topics',
  aliases: ['sessions'],
  summary: 'List your sessions',
  params: { type: 'optional' },
  flags: {},
  body: 'none',
  details: [`TYPE is one of ${TYPES.join(', ')}.`],
  examples: ['/topics', '/topics bash'],
  run({ type }, { sessions }) {
    if (type !== undefined && !TYPES.includes(type)) {
      return fail('INVALID_PARAMS', `Unknown topic type: ${type}`, `Types: ${TYPES.join(', ')}`)
    }
    const rows = sessions().filter((session) => type === undefined || session.topic_type === type)
    return ok('Topics', rows.length === 0 ? '(none)' : rows.map(row).join('\n'), { topics: rows.map(fields) })
  },
})

function fields({ topic, topic_type, executing, queue_length, doc }: SessionView): Data {
  return { topic, topic_type, executing, queue_length, uri: doc?.uri ?? null, title: doc?.title ?? null }
}

function row({ topic, topic_type, executing, queue_length, doc }: SessionView): string {
  const state = executing ? ` · running${queue_length > 0 ? `, ${queue_length} waiting` : ''}` : ''
  return `- ${topic} (${topic_type})${doc === null ? '' : ` · ${doc.uri}`}${state}`
}
