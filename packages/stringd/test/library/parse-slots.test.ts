import { describe, expect, it } from 'vitest'
import { PageCache } from '../../src/library/caches.ts'
import { ParseSlots } from '../../src/library/parse-slots.ts'

const never = new AbortController().signal

describe('slots of the parser', () => {
  it('lets some go at once, some wait in order, and turns the rest away', async () => {
    const slots = new ParseSlots(2, 2)
    const order: string[] = []
    const first = await slots.take(never)
    const second = await slots.take(never)
    const waiting = ['c', 'd'].map(async (name) => {
      const done = await slots.take(never)
      order.push(name)
      return done
    })
    expect(await slots.take(never)).toBeNull()
    first?.()
    first?.()
    const third = await waiting[0]
    expect(order).toEqual(['c'])
    second?.()
    third?.()
    ;(await waiting[1])?.()
    expect(order).toEqual(['c', 'd'])
    expect(await slots.take(never)).not.toBeNull()
  })

  it('forgets one that leaves while it waits', async () => {
    const slots = new ParseSlots(1, 1)
    const done = await slots.take(never)
    const leaving = new AbortController()
    const gone = slots.take(leaving.signal)
    leaving.abort()
    expect(await gone).toBeNull()
    expect(await slots.take(AbortSignal.abort())).toBeNull()
    const next = slots.take(never)
    done?.()
    expect(await next).not.toBeNull()
  })
})

describe('a cache with a budget', () => {
  it('keeps what was used last and never more than fits', () => {
    const cache = new PageCache<string>(100)
    for (let index = 0; index < 50; index += 1) cache.set(`k${index}`, `v${index}`, 30)
    expect(cache.get('k46')).toBeUndefined()
    expect([cache.get('k47'), cache.get('k48'), cache.get('k49')]).toEqual(['v47', 'v48', 'v49'])
    cache.get('k47')
    cache.set('new', 'n', 30)
    expect(cache.get('k47')).toBe('v47')
    expect(cache.get('k48')).toBeUndefined()
    cache.set('huge', 'h', 1_000)
    expect(cache.get('huge')).toBeUndefined()
  })
})
