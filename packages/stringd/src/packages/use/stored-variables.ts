import type { Failure } from '@string-os/protocol'
import type { VariableScope, VariableStore } from '../state/variables.ts'

/** Variables on the disk, in the scope of the topic. */
export interface StoredVariables {
  readonly list: () => ReturnType<VariableStore['list']>
  readonly set: (values: ReadonlyMap<string, string>) => Promise<Failure | null>
  readonly unset: (names: readonly string[]) => Promise<Failure | null>
}

export function storedVariables(variables: VariableStore, scope: VariableScope): StoredVariables {
  return {
    list: () => variables.list(scope),
    set: (values) => variables.set(scope, values),
    unset: (names) => variables.unset(scope, names),
  }
}
