import type { VNode } from 'preact'
import { useApp } from '../app.ts'

const DAY_MS = 86_400_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value: number): string => String(value).padStart(2, '0')

/** `14:05` today, `Nov 9 14:05` this year, else the day. */
export function clockTime(iso: string, now = new Date()): string {
  const date = new Date(iso)
  const hours = `${two(date.getHours())}:${two(date.getMinutes())}`
  if (date.toDateString() === now.toDateString()) return hours
  const day = `${MONTHS[date.getMonth()]} ${date.getDate()}`
  return date.getFullYear() === now.getFullYear() ? `${day} ${hours}` : `${day} ${date.getFullYear()}`
}

export function When({ time }: { time: string }): VNode {
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {clockTime(time)}
    </time>
  )
}

/** `7 s`, `12 min 40 s`, `3 h 05 min`, `2 d`: never taken for a time of day, which may stand beside it. */
export function span(ms: number): string {
  const secs = Math.max(0, Math.floor(ms / 1000))
  const mins = Math.floor(secs / 60)
  if (secs < 60) return `${secs} s`
  if (secs < 3_600) return `${mins} min ${two(secs % 60)} s`
  return ms < DAY_MS ? `${Math.floor(mins / 60)} h ${two(mins % 60)} min` : `${Math.floor(ms / DAY_MS)} d`
}

/** How long something has gone on, second by second. */
export function Since({ time }: { time: string }): VNode {
  const { live, clock } = useApp()
  const connection = live.connection.value
  // Without a connection nobody knows whether it still goes on.
  const until = connection.kind === 'lost' ? connection.since : clock.now.value
  return <span class="num">{span(until - Date.parse(time))}</span>
}

/** `420 ms`, `1.2 s`, `3 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : span(ms)
}
