import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000
const FLAGS = 'flags:'
/** Position and flags stand first. */
const INFO_BYTES = 64

/** What goes behind the first three in `stdio`. */
export interface CoveredDescriptors {
  readonly stdio: readonly ('ignore' | number)[]
  readonly release: () => void
}

/**
 * Keeps descriptors of this process from a child: what the system would hand on (terminals of others, and all that this
 * process was itself given) is replaced by /dev/null there. Node closes only those that it opened itself.
 */
export function coverDescriptors(): CoveredDescriptors {
  const open = inheritable()
  if (open.length === 0) return { stdio: [], release: () => {} }
  const nothing = openSync('/dev/null', 'r')
  const stdio = Array.from({ length: Math.max(...open) - 2 }, (_, index) =>
    open.includes(index + 3) ? nothing : 'ignore',
  )
  return { stdio, release: () => closeSync(nothing) }
}

function inheritable(): number[] {
  const buffer = Buffer.alloc(INFO_BYTES)
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isInheritable(descriptor, buffer))
  } catch {
    // No /proc here: nothing can be known.
    return []
  }
}

function isInheritable(descriptor: number, buffer: Buffer): boolean {
  const info = readInfo(descriptor, buffer)
  return info !== null && (Number.parseInt(info.slice(info.indexOf(FLAGS) + FLAGS.length), 8) & CLOSE_ON_EXEC) === 0
}

/** By hand, because there is one for each descriptor in every turn, and `readFileSync` takes twice as long. */
function readInfo(descriptor: number, buffer: Buffer): string | null {
  let file: number
  try {
    file = openSync(`/proc/self/fdinfo/${descriptor}`, 'r')
  } catch {
    // The descriptor of the listing itself is closed by now.
    return null
  }
  try {
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, INFO_BYTES, 0))
  } finally {
    closeSync(file)
  }
}
