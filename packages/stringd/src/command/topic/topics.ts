import { type Data, fail, ok, TOPIC_TYPES } from '@string-os/protocol'
import type { TopicState } from '../../session/topic-state.ts'
import { defineCommand } from '../core/define.ts'

export const topics = defineCommand({
  name: 'topics',
  aliases: ['sessions'],
  summary: 'List your sessions',
  params: { type: 'optional' },
  flags: {},
  body: 'none',
  details: [`TYPE is one of ${TOPIC_TYPES.join(', ')}.`],
  examples: ['/topics', '/topics bash'],
  run({ type }, { sessions }) {
    if (type !== undefined && !TOPIC_TYPES.some((each) => each === type)) {
      return fail('INVALID_PARAMS', `Unknown topic type: ${type}`, `Types: ${TOPIC_TYPES.join(', ')}`)
    }
    const rows = sessions().filter((session) => type === undefined || session.topic.type === type)
    return ok('Topics', rows.length === 0 ? '(none)' : rows.map(row).join('\n'), { topics: rows.map(fields) })
  },
})

function fields({ topic, isRunning, waiting, document }: TopicState): Data {
  return {
    topic: topic.canonical,
    topic_type: topic.type,
    executing: isRunning,
    queue_length: waiting,
    uri: document?.uri ?? null,
    title: document?.title ?? null,
  }
}

function row({ topic, isRunning, waiting, document }: TopicState): string {
  const state = isRunning ? ` · running${waiting > 0 ? `, ${waiting} waiting` : ''}` : ''
  return `- ${topic.canonical} (${topic.type})${document === null ? '' : ` · ${document.uri}`}${state}`
}
