import type { WireRow, WireSettings } from './wire.ts'
import { LINE_WIRE } from './wire-01.ts'
import { JSON_WIRE } from './wire-04.ts'

/** Every wire, by the version that a profile names. A further one is a row here and a file of its own. */
export const WIRES = { '0.1': LINE_WIRE, '0.4': JSON_WIRE } as const satisfies Readonly<Record<string, WireRow>>

export type Wire = keyof typeof WIRES

export const WIRE_NAMES: readonly Wire[] = Object.keys(WIRES).filter(isWire)

/** For a person: what of a profile only its wire heeds. */
export function wireNotes(profile: WireSettings & { readonly wire: Wire }): ReturnType<WireRow['notes']> {
  return WIRES[profile.wire].notes(profile)
}

function isWire(name: string): name is Wire {
  return Object.hasOwn(WIRES, name)
}
