import type { VNode } from 'preact'

/** A state as a shape and a colour; the word stands beside it or is read out. */
export type Shape = 'idle' | 'running' | 'waiting' | 'failed' | 'done' | 'paused' | 'queued' | 'refused' | 'warned'

export function Glyph({ shape, label }: { shape: Shape; label?: string }): VNode {
  return label === undefined ? (
    <i class={`glyph ${shape}`} aria-hidden="true" />
  ) : (
    <i class={`glyph ${shape}`} role="img" aria-label={label} />
  )
}

export function turnShape(state: string): Shape {
  if (state === 'running' || state === 'waiting' || state === 'queued' || state === 'done') return state
  return state === 'failed' || state === 'interrupted' ? 'failed' : 'idle'
}
