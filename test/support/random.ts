import { randomInt } from 'node:crypto'

const MAX_SEED = 2 ** 31 - 1

/** What all random choices of a test run come from: given in STRING_SEED, or new for each run, which then hands it on. */
export function runSeed(): number {
  const given = process.env.STRING_SEED ?? ''
  const seed = given === '' ? randomInt(MAX_SEED) : Number(given)
  if (!Number.isInteger(seed) || seed < 0 || seed > MAX_SEED) {
    throw new Error(`STRING_SEED is ${given}, but must be a whole number from 0 to ${MAX_SEED}`)
  }
  process.env.STRING_SEED = String(seed)
  return seed
}

/** Numbers from 0 up to 1: the same ones for the same seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    const twice = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }
}

let numbers = numbersFrom(runSeed())

/** Each test file makes the same choices, whichever was before it in its worker. */
export function startRandomAnew(): void {
  numbers = numbersFrom(runSeed())
}

/** In place of `Math.random`. */
export function random(): number {
  return numbers()
}

/** A whole number from 0 up to, but not including, `end`. */
export function randomBelow(end: number): number {
  return Math.floor(random() * end)
}
