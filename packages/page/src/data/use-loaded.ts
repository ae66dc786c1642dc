import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import type { Change } from '../live/frame.ts'
import { type Answer, isPassing, type Refusal } from './answer.ts'
import { Refresher } from './refresher.ts'

/** How long what could not be had is left alone. */
const AGAIN_MS = 3_000

/** What is no longer there must not look as if it were. */
const GONE = 404

export interface Loaded<T> {
  /** Null until something came; what came once stays while it is loaded again, unless it is no longer there. */
  readonly value: T | null
  /** Of the last load. */
  readonly refusal: Refusal | null
  readonly reload: () => void
}

interface Held<T> {
  readonly key: string
  readonly value: T | null
  readonly refusal: Refusal | null
}

/** What a request answers, asked again whenever something changed that it tells about. Another key is another thing. */
export function useLoaded<T>(
  key: string,
  load: () => Promise<Answer<T>>,
  concerns: (change: Change) => boolean,
): Loaded<T> {
  const { live } = useApp()
  const [held, setHeld] = useState<Held<T>>({ key, value: null, refusal: null })
  const latest = useRef({ load, concerns })
  latest.current = { load, concerns }
  const refresher = useRef<Refresher | null>(null)
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined
    const own = new Refresher(async () => {
      clearTimeout(again)
      const answer = await latest.current.load()
      if (refresher.current !== own) return
      // Without a connection everything is loaded again when there is one.
      if (!answer.ok && isPassing(answer) && live.connection.peek().kind === 'live')
        again = setTimeout(() => own.wish(), AGAIN_MS)
      setHeld((before) => {
        if (answer.ok) return { key, value: answer.value, refusal: null }
        const isKnown = before.key === key && answer.status !== GONE
        return { key, value: isKnown ? before.value : null, refusal: answer }
      })
    })
    refresher.current = own
    void live.settled.then(() => own.wish())
    const unwatch = live.onChange((change) => {
      if (change === null || latest.current.concerns(change)) own.wish()
    })
    return () => {
      unwatch()
      own.close()
      clearTimeout(again)
      if (refresher.current === own) refresher.current = null
    }
  }, [key, live])
  const { value, refusal } = held.key === key ? held : { value: null, refusal: null }
  return { value, refusal, reload: () => refresher.current?.wish() }
}
