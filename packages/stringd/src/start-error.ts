/** Why there is no daemon after all, in one line for a person. */
export class StartError extends Error {
  readonly reason: 'port-taken' | 'already-running' | 'data-dir' | 'store'

  constructor(reason: StartError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
