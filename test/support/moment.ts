/** Lets somebody do something for a moment that is different every time. */
export function aMoment(fromMs: number, toMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, fromMs + Math.random() * (toMs - fromMs))
  })
}
