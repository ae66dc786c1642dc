/** From the least to the most urgent. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

type LogValue = string | number | boolean | null

/** A line of the daemon's log; what else it says is in fields of its own, such as `agent`, `turn`, `cause`. */
export interface LogEntry {
  readonly time: string
  readonly level: LogLevel
  readonly message: string
  readonly fields: Readonly<Record<string, LogValue>>
}
