import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** How near to its end a list counts as at its end. */
const NEAR_PX = 80

/** Keeps the end of a growing list in sight, as long as that is where its reader is. */
export function useBottom(): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const scroller = list.current?.closest('main')
    if (scroller === null || scroller === undefined || list.current === null) return
    let isAtEnd = true
    const look = (): void => {
      isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX
    }
    const observer = new ResizeObserver(() => {
      if (isAtEnd) scroller.scrollTop = scroller.scrollHeight
    })
    observer.observe(list.current)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [])
  return list
}
