import type { Failure } from '@string-os/protocol'
import type { Need } from '../state/package-record.ts'
import type { StoredVariable, VariableScope, VariableStore } from '../state/variables.ts'
import { isShown } from './package-powers.ts'

/** What may be seen of one: null where that is only that it is set. */
export interface SeenVariable extends StoredVariable {
  readonly value: string | null
}

/** Variables on the disk, in the scope of the topic. */
export interface StoredVariables {
  readonly list: () => { readonly variables: readonly SeenVariable[]; readonly damaged: readonly string[] }
  readonly set: (values: ReadonlyMap<string, string>) => Promise<Failure | null>
  readonly unset: (names: readonly string[]) => Promise<Failure | null>
}

/** `needs`: what the package of the topic lists. */
export function storedVariables(
  variables: VariableStore,
  scope: VariableScope,
  needs: readonly Need[],
): StoredVariables {
  const seen = (variable: StoredVariable): SeenVariable => {
    const need = needs.find(({ name }) => name === variable.name)
    const isSeen = need !== undefined && isShown(need, variable.level)
    return { ...variable, value: isSeen ? (variables.find(scope, variable.name)?.value ?? null) : null }
  }
  return {
    list: () => {
      const { variables: stored, damaged } = variables.list(scope)
      return { variables: stored.map(seen), damaged }
    },
    set: (values) => variables.set(scope, values),
    unset: (names) => variables.unset(scope, names),
  }
}
