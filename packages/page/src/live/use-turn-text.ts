import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import { turns } from '../data/calls.ts'
import type { Text } from './frame.ts'
import { GrowingText } from './growing-text.ts'

/** What a turn that is not over has said so far, drawn at most once a frame. */
export function useTurnText(turnId: string): string {
  const { live } = useApp()
  const [shown, setShown] = useState('')
  useEffect(() => {
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
    // Heard before it is asked for, so that nothing falls between.
    const unfollow = live.follow(turnId, (piece) => {
      if (early !== null) early.push(piece)
      else if (growing.add(piece)) draw()
      else {
        early = [piece]
        void load()
      }
    })
    void load()
    return () => {
      unfollow()
      cancelAnimationFrame(frame)
    }
  }, [live, turnId])
  return shown
}
