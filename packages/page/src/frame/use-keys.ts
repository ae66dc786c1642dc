import { useLayoutEffect, useRef } from 'preact/hooks'
import { useApp } from '../app.ts'
import type { Key } from './keys.ts'

/** These keys do something as long as the part of the page is there that calls this. */
export function useKeys(keys: readonly Key[]): void {
  const { keys: all } = useApp()
  const latest = useRef(keys)
  latest.current = keys
  useLayoutEffect(
    () => all.add(latest.current.map((key, index) => ({ ...key, run: () => latest.current[index]?.run() }))),
    [all, keys.length],
  )
}
