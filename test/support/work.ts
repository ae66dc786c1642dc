import { Session } from 'node:inspector'

/**
 * Counts the work that code does in steps, whatever else the machine is doing: each block of JavaScript that is entered
 * (a turn of a loop, a call), each character and each item that a built-in function goes over.
 * What a pattern looks at again and again while it backtracks stays unseen: for that there is `cpuGrowth`.
 */
export class WorkCounter {
  readonly #session = new Session()

  /** Code that is to be counted must be imported after this. */
  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  count(run: () => void): number {
    const builtins = { work: 0 }
    const restore = countBuiltins(builtins)
    this.#blocks()
    try {
      run()
    } finally {
      restore()
    }
    return this.#blocks() + builtins.work
  }

  /**
   * How many times the work of the smaller is done for the larger; the least of two counts. V8 counts fewer blocks of code that it had
   * compiled before it was asked to count, and may compile that anew between two counts.
   */
  growth(smaller: () => void, larger: () => void): number {
    return Math.min(...Array.from({ length: 2 }, () => this.#ratio(smaller, larger)))
  }

  #ratio(smaller: () => void, larger: () => void): number {
    const small = this.count(smaller)
    return this.count(larger) / small
  }

  close(): void {
    this.#session.post('Profiler.stopPreciseCoverage')
    this.#session.disconnect()
  }

  /** How often the blocks of the code under test were entered since it was last asked. */
  #blocks(): number {
    let count = 0
    this.#session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error !== null) throw error
      for (const { url, functions } of answer.result) {
        if (!isUnderTest(url)) continue
        for (const { ranges } of functions) for (const range of ranges) count += range.count
      }
    })
    return count
  }
}

function isUnderTest(url: string): boolean {
  return url.startsWith('file:') && !/\/node_modules\/(@?vite|tiny)|\/test\/support\//.test(url)
}

type Method = (...args: unknown[]) => unknown
type Cost = (subject: never, result: unknown, args: readonly unknown[]) => number

const size = (subject: { readonly length: number }) => subject.length
const ofResult = (_subject: unknown, result: unknown) => (result as { readonly length: number }).length
const toFound = (subject: { readonly length: number }, found: unknown, [, from]: readonly unknown[]) =>
  Math.abs((found === -1 ? subject.length : Number(found)) - Number(from ?? 0))

const each = (names: string, cost: Cost) => names.split(' ').map((name) => [name, cost] as const)

const STRING_COSTS: Record<string, Cost> = Object.fromEntries([
  ...each('indexOf lastIndexOf', toFound),
  ...each('includes split replace replaceAll toLowerCase toUpperCase normalize', size),
  ...each('slice substring trim trimStart trimEnd repeat', ofResult),
])

const ARRAY_COSTS: Record<string, Cost> = Object.fromEntries([
  ...each('indexOf lastIndexOf', toFound),
  ...each('includes join splice shift unshift reverse fill', size),
  ...each('concat slice flat', ofResult),
])

const PATTERN_COSTS: Record<string, Cost> = {
  exec: (pattern: RegExp, found, [text]) => {
    if (found !== null) return (found as RegExpExecArray)[0].length + 1
    // One that is held to a place, by its flag or by its first sign, looks nowhere else.
    return pattern.sticky || pattern.source.startsWith('^') ? 1 : String(text).length - pattern.lastIndex
  },
}

function countBuiltins(total: { work: number }): () => void {
  const undo = [
    ...wrap(String.prototype, STRING_COSTS, total),
    ...wrap(Array.prototype, ARRAY_COSTS, total),
    ...wrap(RegExp.prototype, PATTERN_COSTS, total),
  ]
  return () => {
    for (const restore of undo) restore()
  }
}

function wrap(prototype: object, costs: Record<string, Cost>, total: { work: number }): (() => void)[] {
  return Object.entries(costs).map(([name, cost]) => {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name)
    const original = descriptor?.value as Method
    const value = function counted(this: never, ...args: unknown[]) {
      const result = original.apply(this, args)
      total.work += cost(this, result, args)
      return result
    }
    Object.defineProperty(prototype, name, { ...descriptor, value })
    return () => Object.defineProperty(prototype, name, descriptor ?? {})
  })
}

const SLACK_MS = 1

/**
 * How many times longer the processor works on a text 16 times as long: about 16 when the work is linear, 256 when it is
 * quadratic. The best of some runs counts, and what is too short to measure counts as a millisecond.
 */
export function cpuGrowth(run: (times: number) => void): number {
  const best = (times: number) => Math.min(...Array.from({ length: 3 }, () => cpuMs(() => run(times))))
  const small = Math.max(SLACK_MS, best(1))
  return best(16) / small
}

function cpuMs(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
