import { LIMITS, parseSse } from '@string-os/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../../src/log.ts'
import { ALONE_RELAY } from '../../src/store/alone.ts'
import type { Sign } from '../../src/store/store.ts'
import { SharedChanges } from '../../src/watch/shared-changes.ts'
import { type TextOf, Watch } from '../../src/watch/watch.ts'

const EVERYTHING_NEW = { since: null, follow: new Map() }

function newWatch(textOf: TextOf = () => null): Watch {
  const watch = new Watch({ textOf, begin: () => Promise.resolve(), log: createLog(() => undefined) })
  onTestFinished(() => watch.end())
  return watch
}

/** A reader that keeps up, until it is told to stall. */
function reader() {
  const state = { text: '', isFull: false, isCut: false }
  const outlet = {
    write: (bytes: Buffer) => {
      state.text += bytes.toString('utf8')
      return !state.isFull
    },
    end: () => undefined,
    cut: () => {
      state.isCut = true
    },
  }
  const heard = (): Record<string, unknown>[] =>
    parseSse(state.text).map(({ event, data }) => ({ event, ...(JSON.parse(data) as object) }))
  return { state, outlet, heard }
}

const turn = (id: string) => ({ kind: 'turn', id, agentId: 'bob' }) as const

describe('what is told to those who watch', () => {
  it('begins with the place, then names what changed, many changes of one thing once', async () => {
    const watch = newWatch()
    const { outlet, heard } = reader()
    watch.add(outlet, EVERYTHING_NEW)
    const { seq } = watch
    for (let time = 0; time < 50; time += 1) watch.changed(turn('trn_1'))
    watch.changed({ kind: 'agent', id: 'eve', agentId: 'eve', isDeleted: true })
    await expect.poll(() => heard().length).toBe(3)
    expect(heard()).toEqual([
      { event: 'ready', seq },
      { event: 'change', seq: seq + 50, kind: 'turn', id: 'trn_1', agent_id: 'bob' },
      { event: 'change', seq: seq + 51, kind: 'agent', id: 'eve', agent_id: 'eve', deleted: true },
    ])
  })

  it('goes on where a reader was, and says where it cannot', () => {
    const watch = newWatch()
    watch.add(reader().outlet, EVERYTHING_NEW)
    const { seq } = watch
    watch.changed(turn('trn_1'))
    watch.changed(turn('trn_2'))
    const later = reader()
    watch.add(later.outlet, { ...EVERYTHING_NEW, since: seq + 1 })
    expect(later.heard()).toMatchObject([
      { event: 'ready', seq: seq + 1 },
      { event: 'change', id: 'trn_2', seq: seq + 2 },
    ])
    for (const since of [0, seq - 1, seq + 3, Number.MAX_SAFE_INTEGER]) {
      const lost = reader()
      watch.add(lost.outlet, { ...EVERYTHING_NEW, since })
      expect(lost.heard()).toMatchObject([
        { event: 'ready', seq: seq + 2 },
        { event: 'reset', seq: seq + 2 },
      ])
    }
  })

  it('remembers for a moment when the last one leaves, and nothing after that', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const watch = newWatch()
    const first = watch.add(reader().outlet, EVERYTHING_NEW)
    const { seq } = watch
    first.remove()
    watch.changed(turn('trn_1'))
    const soon = reader()
    const again = watch.add(soon.outlet, { ...EVERYTHING_NEW, since: seq })
    expect(soon.heard()).toMatchObject([{ event: 'ready' }, { event: 'change', id: 'trn_1' }])
    again.remove()
    vi.advanceTimersByTime(LIMITS.watchKeepMs)
    const quiet = watch.seq
    watch.changed(turn('trn_2'))
    expect(watch.seq).toBe(quiet)
    const late = reader()
    watch.add(late.outlet, { ...EVERYTHING_NEW, since: seq + 1 })
    expect(late.heard()).toMatchObject([{ event: 'ready' }, { event: 'reset' }])
  })

  it('keeps the last changes alone: whoever missed more has to look at everything', () => {
    const watch = newWatch()
    watch.add(reader().outlet, EVERYTHING_NEW)
    const { seq } = watch
    for (let id = 0; id <= LIMITS.watchedChanges; id += 1) watch.changed(turn(`trn_${id}`))
    const late = reader()
    watch.add(late.outlet, { ...EVERYTHING_NEW, since: seq })
    expect(late.heard().at(-1)).toMatchObject({ event: 'reset' })
    const known = reader()
    watch.add(known.outlet, { ...EVERYTHING_NEW, since: seq + 1 })
    expect(known.heard()).toHaveLength(1 + LIMITS.watchedChanges)
  })

  it('keeps nothing for a reader that is behind, and tells it the last of each thing when it has caught up', async () => {
    const watch = newWatch()
    const slow = reader()
    const { drained } = watch.add(slow.outlet, EVERYTHING_NEW)
    slow.state.isFull = true
    watch.changed(turn('trn_1'))
    await expect.poll(() => slow.heard().length).toBe(2)
    for (let time = 0; time < 1_000; time += 1) watch.changed(turn(`trn_${time % 10}`))
    const quick = reader()
    watch.add(quick.outlet, EVERYTHING_NEW)
    watch.changed(turn('trn_last'))
    await expect.poll(() => quick.heard().length).toBe(2)
    expect(slow.heard()).toHaveLength(2)
    slow.state.isFull = false
    drained()
    expect(slow.heard().slice(2)).toHaveLength(11)
    expect(slow.heard().at(-1)).toMatchObject({ id: 'trn_last', seq: watch.seq })
  })

  it('cuts off one that reads nothing at all', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const watch = newWatch()
    const slow = reader()
    slow.state.isFull = true
    watch.add(slow.outlet, EVERYTHING_NEW)
    vi.advanceTimersByTime(LIMITS.subscriberStallMs + 2 * LIMITS.eventPingMs)
    expect(slow.state.isCut).toBe(true)
  })

  it('tells the text of turns that are followed, from the byte that is known, and of a new run from its beginning', async () => {
    let text = 'größe'
    let run = 1
    const watch = newWatch((id) => (id === 'trn_1' ? { run, text, bytes: Buffer.byteLength(text) } : null))
    const say = (more: string): void => {
      const offset = Buffer.byteLength(text)
      text += more
      watch.said({ turnId: 'trn_1', run, offset, text: more })
    }
    const fresh = reader()
    const some = reader()
    watch.add(fresh.outlet, { since: null, follow: new Map([['trn_1', null]]) })
    watch.add(some.outlet, { since: null, follow: new Map([['trn_1', 2]]) })
    expect(some.heard().at(-1)).toEqual({ event: 'text', turn_id: 'trn_1', offset: 2, text: 'öße' })
    say('n')
    say('s')
    watch.said({ turnId: 'trn_other', run: 1, offset: 0, text: 'nobody follows it' })
    await expect.poll(() => fresh.heard().length).toBe(2)
    expect(fresh.heard().at(-1)).toEqual({ event: 'text', turn_id: 'trn_1', offset: 7, text: 'ns' })
    expect(some.heard()).toHaveLength(3)
    run = 2
    text = ''
    say('anew')
    await expect.poll(() => fresh.heard().length).toBe(3)
    expect(fresh.heard().at(-1)).toEqual({ event: 'text', turn_id: 'trn_1', offset: 0, text: 'anew' })
  })

  it('goes on above the places of an earlier daemon, of which nothing is known', () => {
    const watch = newWatch()
    const { outlet, heard } = reader()
    watch.add(outlet, EVERYTHING_NEW)
    const earlier = watch.seq + 1_000
    watch.raise(earlier)
    expect(watch.seq).toBe(earlier)
    expect(heard().at(-1)).toEqual({ event: 'reset', seq: earlier })
  })
})

describe('what changes on another node', () => {
  /** Nodes whose signs reach each other in a moment. */
  function nodes(amount: number) {
    const heard: Sign[] = []
    const listeners: ((sign: Sign) => void)[] = []
    return Array.from({ length: amount }, (_, own) => {
      const sign = (given: Sign): void => {
        heard.push(given)
        for (const [index, listener] of listeners.entries()) if (index !== own) queueMicrotask(() => listener(given))
      }
      const relay = {
        ...ALONE_RELAY,
        wantChanges: (id: string) => sign({ kind: 'watcher', id }),
        tellChange: (change: Omit<Sign & { kind: 'change' }, 'kind'>) => sign({ kind: 'change', ...change }),
      }
      const onSign = (listener: (sign: Sign) => void): (() => void) => {
        listeners[own] = listener
        return () => undefined
      }
      const watch = newWatch()
      const shared = new SharedChanges({ store: { kind: 'postgres', relay, onSign }, watch, nodeId: `n${own}` })
      onTestFinished(() => shared.stop())
      return { watch, shared, told: () => heard.filter(({ kind }) => kind === 'change').length }
    })
  }

  it('is told where somebody watches, also what changed a moment before, and nowhere else', async () => {
    const [a, b, c] = nodes(3)
    if (a === undefined || b === undefined || c === undefined) throw new Error('There are three')
    a.shared.changed(turn('trn_1'))
    expect(a.told()).toBe(0)
    const { outlet, heard } = reader()
    b.watch.add(outlet, EVERYTHING_NEW)
    a.shared.changed(turn('trn_2'))
    a.shared.changed({ kind: 'topic', id: 'main', agentId: 'bob' })
    c.shared.changed({ kind: 'agent', id: 'eve', agentId: 'eve', isDeleted: true })
    await expect.poll(() => heard().length).toBe(4)
    expect(heard().slice(1)).toMatchObject([
      { event: 'change', kind: 'turn', id: 'trn_1' },
      { event: 'change', kind: 'turn', id: 'trn_2' },
      { event: 'change', kind: 'agent', id: 'eve', deleted: true },
    ])
    expect([a, c].map(({ watch }) => watch.isRecording)).toEqual([false, false])
  })

  it('is a reason to look at everything where it was too much, or the store was away', async () => {
    const [a, b] = nodes(2)
    if (a === undefined || b === undefined) throw new Error('There are two')
    for (let at = 0; at <= LIMITS.watchSharedChanges; at += 1) a.shared.changed(turn(`trn_${at}`))
    const { outlet, heard } = reader()
    b.watch.add(outlet, EVERYTHING_NEW)
    await expect.poll(() => heard().map(({ event }) => event)).toEqual(['ready', 'reset'])
    b.shared.reset()
    expect(heard().map(({ event }) => event)).toEqual(['ready', 'reset', 'reset'])
  })
})
