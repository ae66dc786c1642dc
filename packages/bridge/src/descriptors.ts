import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/** What goes behind the first three in `stdio`. */
export interface Covered {
  readonly stdio: readonly ('ignore' | number)[]
  readonly release: () => void
}

/**
 * Keeps descriptors of this process from a child: what the system would hand on (terminals of others, and all that this
 * process was itself given) is replaced by /dev/null there. Node closes only those that it opened itself.
 */
export function coverDescriptors(): Covered {
  const open = inheritable()
  if (open.length === 0) return { stdio: [], release: () => {} }
  const nothing = openSync('/dev/null', 'r')
  const stdio = Array.from({ length: Math.max(...open) - 2 }, (_, index) =>
    open.includes(index + 3) ? nothing : 'ignore',
  )
  return { stdio, release: () => closeSync(nothing) }
}

function inheritable(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isInheritable(descriptor))
  } catch {
    // No /proc here: nothing can be known.
    return []
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? []
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // That of the listing itself.
    return false
  }
}
