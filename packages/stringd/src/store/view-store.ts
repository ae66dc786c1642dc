import type { StoreView } from '@string-os/protocol'
import type { Store } from './store.ts'

/** A store as clients see it. */
export function viewStore({ kind, where, state }: Pick<Store, 'kind' | 'where' | 'state'>): StoreView {
  return { kind, where, ...state() }
}
