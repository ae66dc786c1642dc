import type { ExecResult } from '@string-os/client'
import { envelope, replyTopic, visibleText } from '@string-os/protocol'
import type { Invocation } from '../arguments.ts'

export type Format = 'envelope' | 'plain' | 'plain-terminal' | 'json'

/** A verb's answer is no block for a model: where nobody lays it out, it is the text alone. */
export function verbFormat(asked: Invocation['format']): Invocation['format'] {
  return asked ?? (process.stdout.isTTY ? null : 'plain')
}

/** The answer to a command as it is printed, but where it is laid out for a person. */
export function formatResult(result: ExecResult, writtenTopic: string, format: Format): string {
  const topic = replyTopic(result.topic, writtenTopic)
  switch (format) {
    case 'json': {
      const { ok, code, content, meta, outside } = result
      // As the daemon says it.
      const data = outside === undefined ? result.data : { outside }
      return JSON.stringify({ ok, code, topic, content, meta, data })
    }
    case 'plain':
      return result.content
    case 'plain-terminal':
      return visibleText(result.content)
    case 'envelope':
      return envelope(topic, result.content)
  }
}
