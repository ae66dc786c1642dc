/** The package has no types of its own. */
declare module 'pgpass' {
  interface Wanted {
    readonly host: string
    readonly port: number
    readonly database: string
    readonly user: string
  }
  /** Looks in `PGPASSFILE`, else `~/.pgpass`; undefined when nothing there fits. */
  function pgpass(wanted: Wanted, done: (password: string | undefined) => void): void
  export = pgpass
}
