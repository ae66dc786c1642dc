import { ChanFlowDecoder, type ChanFlowItem } from './chanflow-decoder.ts'
import { escapeTags } from './chanflow-escape.ts'
import { CLOSING_TAG, openingTag } from './chanflow-tag.ts'

export interface Block {
  readonly channel: string
  readonly topic: string | null
  readonly payload: string
  /** Only replies have attributes. */
  readonly attributes?: Readonly<Record<string, string>>
}

/** Writes one block, whose payload can hold any text. */
export function encodeBlock({ channel, topic, payload, attributes = {} }: Block): string {
  return `${openingTag(channel, topic, attributes)}\n${escapeTags(payload)}\n${CLOSING_TAG}`
}

/** Reads a whole text that is at hand. */
export function decodeChanFlow(text: string): ChanFlowItem[] {
  const decoder = new ChanFlowDecoder()
  return [...decoder.push(text), ...decoder.end()]
}
