import type { ExecResult } from '@string-os/client'
import { envelope, replyTopic, visibleText } from '@string-os/protocol'
import { dim, red } from '../terminal/color.ts'

export type Format = 'envelope' | 'terminal' | 'plain' | 'plain-terminal' | 'json'

/** The answer to a command as it is printed. */
export function formatResult(result: ExecResult, writtenTopic: string, format: Format, color: boolean): string {
  const topic = replyTopic(result.topic, writtenTopic)
  switch (format) {
    case 'json': {
      const { ok, code, content, meta, data } = result
      return JSON.stringify({ ok, code, topic, content, meta, data })
    }
    case 'plain':
      return result.content
    case 'plain-terminal':
      return visibleText(result.content)
    case 'envelope':
      return envelope(topic, result.content)
    case 'terminal':
      return forPerson(result, color)
  }
}

function forPerson({ ok, content }: ExecResult, color: boolean): string {
  const text = visibleText(content)
  if (!color) return text
  const [system = '', ...rest] = text.split('\n')
  if (!ok) return [red(system, color), ...rest].join('\n')
  return [dim(system, color), ...(rest[0] === '---' ? rest.slice(1) : rest)].join('\n')
}
