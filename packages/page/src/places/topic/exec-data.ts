/** A field of an action, as its schema declares it. */
export interface ActionField {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly min: number | null
  readonly max: number | null
  readonly allowed: readonly string[] | null
  readonly description: string | null
  readonly default: string | null
}

export interface Action {
  readonly name: string
  readonly usage: string
  readonly fields: readonly ActionField[]
  readonly runsCommand: boolean
  readonly error: string | null
}

export interface Menu {
  readonly name: string
  readonly count: number
  readonly entries: readonly { readonly id: string; readonly label: string; readonly target: string }[]
}

/** The menus that `/nav` told as fields. */
export function menusOf(data: unknown): readonly Menu[] {
  const { menus } = (data ?? {}) as { readonly menus?: readonly Partial<Menu>[] }
  return menus?.map(({ name = '', count = 0, entries = [] }) => ({ name, count, entries })) ?? []
}

/** The actions that `/act` told as fields. */
export function actionsOf(data: unknown): readonly Action[] {
  const { actions } = (data ?? {}) as {
    readonly actions?: readonly (Partial<Action> & { readonly runs_command?: boolean })[]
  }
  return (
    actions?.map(({ name = '', usage = '', fields = [], runs_command = false, error = null }) => ({
      name,
      usage,
      fields,
      runsCommand: runs_command,
      error,
    })) ?? []
  )
}
