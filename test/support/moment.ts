import { random } from './random.ts'

/** Lets somebody do something for a moment that is different every time. */
export function aMoment(fromMs: number, toMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, fromMs + random() * (toMs - fromMs))
  })
}
