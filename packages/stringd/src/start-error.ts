/** Why there is no daemon after all, in one line for a person. */
export class StartError extends Error {
  readonly reason: 'port-taken' | 'port-refused' | 'already-running' | 'data-dir' | 'store'

  constructor(reason: StartError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** The system gives low ports to those alone that it trusts with them; nobody need have this one. */
export function portRefused(port: number): string {
  return `Port ${port} may not be used by this user (EACCES: those below 1024 are for the system); set STRING_PORT to another port`
}
