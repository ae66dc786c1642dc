import { visibleLine } from '@string-os/protocol'
import type { Line } from '../terminal/styled-text.ts'
import type { Conversation } from './conversation.ts'

/** Whom what is typed is for. */
export function chatPrompt(conversation: Conversation): Line {
  return [{ text: visibleLine(conversation.label()), styles: ['bold'] }, { text: '> ' }]
}
