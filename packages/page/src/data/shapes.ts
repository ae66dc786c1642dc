/** What `GET /doctor` finds. */
export interface DoctorView {
  readonly ok: boolean
  readonly version: string
  readonly checks: readonly {
    readonly name: string
    readonly state: 'ok' | 'warn' | 'fail' | 'untried'
    readonly seen: string
    readonly mend: string | null
  }[]
}

export interface LogRow {
  readonly time: string
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}
