import { chanFlowBody, encodeBlock } from '@string-os/protocol'
import { localMinutes } from './local-minutes.ts'
import type { BlockAnswer } from './run-block.ts'

/** The block that answers a block: nothing in it can end it or begin another. */
export function encodeReply(channel: string, { result, topic, mode }: BlockAnswer, time: Date): string {
  const attributes = { time: localMinutes(time), ...(mode === null ? {} : { mode }) }
  return encodeBlock({ channel, topic, payload: chanFlowBody(result), attributes })
}
