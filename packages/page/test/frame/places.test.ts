import { expect, it } from 'vitest'
import { addressOf, placeOf } from '../../src/address/address.ts'
import { PLACES } from '../../src/frame/places.ts'

it('every place in sight has a key of its own, and an address that leads to it', () => {
  expect(new Set(PLACES.map(({ key }) => key)).size).toBe(PLACES.length)
  for (const { place, belongs } of PLACES) {
    expect(placeOf(addressOf(place))).toEqual(place)
    expect(belongs).toContain(place.kind)
  }
})

it('no kind of place belongs to two of them', () => {
  const all = PLACES.flatMap(({ belongs }) => belongs)
  expect(new Set(all).size).toBe(all.length)
})
