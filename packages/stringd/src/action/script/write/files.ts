import type { Text } from './text.ts'
import type { Walk } from './walk.ts'

/** A file that a command with a value writes to may hold it afterwards. */
export function noteTarget(target: Text | null, holds: boolean, at: number, { facts }: Walk): void {
  if (target?.holds === true) facts.add('anywhere', `${at}`)
  const path = target?.path ?? null
  if (target === null || !holds) return
  if (path === null) return facts.add('script', 'somewhere')
  facts.add('file', baseOf(path))
  facts.add('target', baseOf(path))
  facts.add('script', 'writes')
}

/** Whether a word names a file that may hold a value. */
export function isTold(word: Text | null, { facts }: Walk): boolean {
  const path = word?.path ?? null
  return path !== null && (isDevice(path) || facts.has('file', baseOf(path)))
}

/** Whether a path leads to what a process has open, whatever its name is. */
export function isDevice(path: string): boolean {
  return /^\/+(?:dev|proc)\/(?!null$)|(?:^|\/)(?:stdin|fd\/+\d+)$|(?:^|\/)\.\.(?:\/|$).*(?:dev|proc)/.test(path)
}

/** The name of a file, also behind `of=`. */
export function baseOf(path: string): string {
  return path.replace(/^.*[/=]/s, '')
}
