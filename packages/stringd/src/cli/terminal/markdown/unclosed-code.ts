import type { StateInline } from 'markdown-it'

/** Code whose end has not come yet is text: marks in it would mean something for a moment, and then nothing. */
export function unclosedCode(state: StateInline, silent: boolean): boolean {
  const rest = state.src.slice(state.pos, state.posMax)
  const [run = ''] = /^`+/.exec(rest) ?? []
  if (run === '' || rest.includes('\n')) return false
  if (new RegExp(`[^\`]${run}(?!\`)`).test(rest)) return false
  if (!silent) state.pending += rest
  state.pos = state.posMax
  return true
}
