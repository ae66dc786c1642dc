import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { Inbox } from '../../src/events/inbox.ts'
import { createLog } from '../../src/log.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

const START = Date.parse('2026-03-19T05:30:00Z')
const AGENTS = ['a', 'b']
const HOUR = 3_600_000

/** What an inbox is, as a list. */
interface Kept {
  readonly id: string
  readonly agentId: string
  readonly text: string
  ackedAt: number | null
}

type Step =
  | { readonly kind: 'append'; readonly agent: string; readonly key: string | null }
  | { readonly kind: 'read' | 'ack'; readonly agent: string; readonly picks: readonly number[] }
  | { readonly kind: 'clear'; readonly agent: string; readonly all: boolean }
  | { readonly kind: 'drop'; readonly agent: string }
  | { readonly kind: 'prune' | 'restart' }
  | { readonly kind: 'later'; readonly hours: number }

const agent = fc.constantFrom(...AGENTS)
const picks = fc.array(fc.nat(30), { minLength: 1, maxLength: 5 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('append' as const), agent, key: fc.option(fc.constantFrom('k', 'l')) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('read' as const, 'ack' as const), agent, picks }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), agent, all: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), agent }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('prune' as const, 'restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('later' as const), hours: fc.constantFrom(1, 25, 31 * 24) }) },
)

/** The inbox and the list beside it; every answer is compared. */
class Pair {
  readonly #path = join(tempDir(), 'state.db')
  readonly #log: string[] = []
  #now = START
  #store = this.#open()
  #inbox = new Inbox(this.#store, () => this.#now)
  #kept: Kept[] = []
  #keys = new Map<string, { readonly id: string; readonly usedAt: number }>()
  /** Every id that was ever given. */
  readonly #ids: string[] = []

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'append':
        return this.#append(step.agent, step.key)
      case 'read':
        return this.#read(step.agent, this.#picked(step.picks))
      case 'ack':
        return this.#ack(step.agent, this.#picked(step.picks))
      case 'clear':
        return this.#clear(step.agent, step.all)
      case 'drop':
        return this.#drop(step.agent)
      case 'prune':
        return this.#prune()
      case 'restart':
        await this.close()
        this.#store = this.#open()
        this.#inbox = new Inbox(this.#store, () => this.#now)
        return
      case 'later':
        this.#now += step.hours * HOUR
    }
  }

  async compare(): Promise<void> {
    for (const agentId of AGENTS) {
      const all = this.#kept.filter((event) => event.agentId === agentId)
      const acked = all.filter(({ ackedAt }) => ackedAt !== null)
      expect(await this.#inbox.counts(agentId)).toEqual({ pending: all.length - acked.length, acked: acked.length })
      expect((await this.#inbox.newest(agentId, true, 1_000)).map(({ id }) => id)).toEqual(
        all.map(({ id }) => id).toReversed(),
      )
      expect((await this.#inbox.newest(agentId, false, 1_000)).map(({ id }) => id)).toEqual(
        all.flatMap(({ id, ackedAt }) => (ackedAt === null ? [id] : [])).toReversed(),
      )
      expect((await this.#store.events.after(agentId, all[0]?.id ?? '', 1_000)).map(({ text }) => text)).toEqual(
        all.slice(1).map(({ text }) => text),
      )
    }
    for (const { agentId, id } of this.#kept) expect((await this.#store.agents.lastEventId(agentId)) >= id).toBe(true)
    expect(this.#log).toEqual([])
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #open(): Store {
    const log = createLog((line) => this.#log.push(line))
    return openSqlite(this.#path, { log, now: () => this.#now })
  }

  #picked(picks: readonly number[]): string[] {
    return picks.map((pick) => this.#ids[pick] ?? `evt_${'1'.repeat(26)}`)
  }

  #find(agentId: string, id: string): Kept | undefined {
    return this.#kept.find((event) => event.id === id && event.agentId === agentId)
  }

  async #append(agentId: string, key: string | null): Promise<void> {
    const text = `text ${this.#ids.length}`
    const { id } = await this.#inbox.append({ agentId, source: 's', text, ...(key === null ? {} : { key }) })
    const used = key === null ? undefined : this.#keys.get(agentId + key)
    if (used !== undefined && used.usedAt >= this.#now - LIMITS.eventKeyMs) return expect(id).toBe(used.id)
    expect(this.#ids.every((earlier) => earlier < id)).toBe(true)
    this.#ids.push(id)
    this.#kept.push({ id, agentId, text, ackedAt: null })
    if (key !== null) this.#keys.set(agentId + key, { id, usedAt: this.#now })
  }

  async #read(agentId: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) expect((await this.#inbox.read(agentId, id))?.text).toBe(this.#find(agentId, id)?.text)
  }

  async #ack(agentId: string, ids: readonly string[]): Promise<void> {
    await this.#read(agentId, ids)
    const known = ids.flatMap((id) => this.#find(agentId, id) ?? [])
    expect(await this.#inbox.ack(agentId, ids)).toEqual(known.map(({ id }) => id))
    for (const event of known) event.ackedAt ??= this.#now
  }

  async #clear(agentId: string, all: boolean): Promise<void> {
    const gone = this.#remove((event) => event.agentId === agentId && (all || event.ackedAt !== null))
    expect(await this.#inbox.clear(agentId, all)).toBe(gone)
  }

  async #drop(agentId: string): Promise<void> {
    this.#keys = new Map([...this.#keys].filter(([name]) => !name.startsWith(agentId)))
    expect(await this.#inbox.drop(agentId)).toBe(this.#remove((event) => event.agentId === agentId))
  }

  async #prune(): Promise<void> {
    const before = this.#now - LIMITS.ackedEventMs
    const gone = this.#remove(({ ackedAt }) => ackedAt !== null && ackedAt < before)
    expect(await this.#inbox.prune()).toBe(gone)
  }

  #remove(isGone: (event: Kept) => boolean): number {
    const before = this.#kept.length
    this.#kept = this.#kept.filter((event) => !isGone(event))
    return before - this.#kept.length
  }
}

describe('an inbox', () => {
  it('is a list of what was appended, read, acknowledged and removed, in whatever order that was done', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const pair = new Pair()
        try {
          for (const one of steps) {
            await pair.take(one)
            await pair.compare()
          }
        } finally {
          await pair.close()
        }
      }),
      { numRuns: 25 },
    )
  })
})
