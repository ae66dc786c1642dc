import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import { turns } from '../data/calls.ts'
import type { Text } from './frame.ts'
import { GrowingText } from './growing-text.ts'

/** `live`: as it comes. `whole`: what is stored of it. `none`: nothing is asked for. */
type Wanted = 'live' | 'whole' | 'none'

/** What a turn has said, drawn at most once a frame. What was shown stays until there is something else. */
export function useTurnText(turnId: string, wanted: Wanted): string {
  const { live } = useApp()
  const [shown, setShown] = useState('')
  useEffect(() => {
    if (wanted === 'none') return
    const growing = new GrowingText()
    let early: Text[] | null = []
    let frame = 0
    const draw = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setShown(growing.text))
    }
    const load = async (): Promise<void> => {
      const answer = await turns.get(turnId)
      if (answer.ok) growing.set(answer.value.partial)
      const pieces = early ?? []
      early = null
      for (const piece of pieces) growing.add(piece)
      draw()
    }
    const take = (piece: Text): void => {
      if (early !== null) early.push(piece)
      else if (growing.add(piece)) draw()
      else {
        early = [piece]
        void load()
      }
    }
    // Heard before it is asked for, so that nothing falls between.
    const unfollow = wanted === 'live' ? live.follow(turnId, take) : () => undefined
    void load()
    return () => {
      unfollow()
      cancelAnimationFrame(frame)
    }
  }, [live, turnId, wanted])
  return shown
}
