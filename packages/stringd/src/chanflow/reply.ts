import { chanFlowBody, encodeBlock } from '@string-os/protocol'
import type { Answer } from './run-block.ts'

/** The block that answers a block: nothing in it can end it or begin another. */
export function encodeReply(channel: string, { result, topic, mode }: Answer, time: Date): string {
  const attributes = { time: localMinutes(time), ...(mode === null ? {} : { mode }) }
  return encodeBlock({ channel, topic, payload: chanFlowBody(result), attributes })
}

/** `2026-03-19T14:30+09:00`: a moment in local time, to the minute, with its numeric offset. */
export function localMinutes(date: Date, offsetMinutes: number = -date.getTimezoneOffset()): string {
  const local = new Date(date.getTime() + offsetMinutes * 60_000).toISOString().slice(0, 16)
  const size = Math.abs(offsetMinutes)
  const part = (minutes: number): string => String(Math.floor(minutes)).padStart(2, '0')
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${part(size / 60)}:${part(size % 60)}`
}
