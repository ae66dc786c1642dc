import { LIMITS, truncate } from '@string-os/protocol'
import type { Message } from './send.ts'

export interface Mail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly messageId: string
  readonly date: Date
}

const ADDRESS = /^[^\s\p{Cc},;:()<>@"\\[\]]{1,64}@[^\s\p{Cc},;:()<>@"\\[\]]{1,255}$/u
const SUBJECT = /^Subject:([^\n]*)(?:\n|$)/i

/** Exactly one address: nothing that a mail program could take for two, or for anything else. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text)
}

/** The mail that a block stands for. A first line `Subject: …` is its subject. */
export function mailOf({ id, target, text, createdAt }: Message, from: string): Mail {
  const whole = text.toWellFormed()
  const [line = '', subject = ''] = SUBJECT.exec(whole) ?? []
  const [, domain = 'localhost'] = from.split('@')
  return {
    from,
    to: target,
    subject: oneLine(subject) || oneLine(firstLine(whole.slice(line.length))) || 'Message',
    text: line === '' ? whole : whole.slice(line.length).replace(/^\r?\n/, ''),
    messageId: `<${id}@${domain}>`,
    date: createdAt,
  }
}

function firstLine(text: string): string {
  const [line = ''] = /^\s*(.*)/.exec(text)?.slice(1) ?? []
  return truncate(line, LIMITS.mailSubjectChars)
}

/** No character that could end a header or begin another. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
