import { LIMITS, type TurnResultView, type TurnTryView, tellingReason, truncate } from '@string-os/protocol'

interface FailedRun {
  readonly result: Pick<TurnResultView, 'code' | 'error' | 'exit_code'>
  readonly stderr: string
  readonly endedAt: string
  readonly attempt: number
}

/** The failed runs of a turn with one more; of many, the latest. */
export function withTry(tries: readonly TurnTryView[], { result, stderr, endedAt, attempt }: FailedRun): TurnTryView[] {
  const { code, error, exit_code } = result
  const said = tellingReason({ code, error, stderr }) ?? `exit code ${exit_code}`
  const failed = { ended_at: endedAt, code, reason: truncate(said, LIMITS.turnTryChars), attempt }
  return [...tries, failed].slice(-LIMITS.turnTries)
}
