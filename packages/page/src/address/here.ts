import { type ReadonlySignal, signal } from '@preact/signals'
import { addressOf, type Place, placeOf } from './address.ts'

/** The place that the browser's address names, as it changes. */
export function watchAddress(): ReadonlySignal<Place> {
  const here = signal(placeOf(location.hash))
  addEventListener('hashchange', () => {
    here.value = placeOf(location.hash)
  })
  return here
}

export function goTo(place: Place): void {
  location.hash = addressOf(place)
}
