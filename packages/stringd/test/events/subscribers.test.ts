import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { Inbox } from '../../src/events/inbox.ts'
import { Subscribers } from '../../src/events/subscribers.ts'
import { createLog } from '../../src/log.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'

/** A reader that reads when it is told to, and remembers whether it was cut off. */
class Reader {
  isCut = false
  reads = true
  readonly got: string[] = []

  write(bytes: Buffer): boolean {
    this.got.push(bytes.toString())
    return this.reads
  }
}

function setup(): { inbox: Inbox; join: () => Promise<Reader> } {
  const log = createLog(() => undefined)
  const store = openSqlite(join(tempDir(), 'state.db'), { log })
  const inbox = new Inbox(store, Date.now)
  const subscribers = new Subscribers(store, log)
  onTestFinished(() => {
    subscribers.end()
    return store.close()
  })
  const add = async (): Promise<Reader> => {
    const reader = new Reader()
    const outlet = {
      write: (bytes: Buffer) => reader.write(bytes),
      end: () => undefined,
      cut: () => {
        reader.isCut = true
      },
    }
    subscribers.add('a', outlet, await subscribers.begin('a', null))
    return reader
  }
  return { inbox, join: add }
}

describe('S31: events that subscribers do not read', () => {
  it('have a total: who is behind longest is cut off, and who reads gets everything', async () => {
    const { inbox, join: subscribe } = setup()
    const text = 'x'.repeat(LIMITS.subscriberMissedBytes / 8)
    const reading = await subscribe()
    const stalled: Reader[] = []
    // One more with each event, so that none has missed much and all have something unread.
    const rounds = Math.ceil(LIMITS.subscribersBytes / text.length) + 2
    for (let round = 0; round < rounds; round += 1) {
      for (let each = 0; each < 8; each += 1) {
        const reader = await subscribe()
        reader.reads = false
        stalled.push(reader)
      }
      await inbox.append({ agentId: 'a', source: 's', text })
      if (stalled.some(({ isCut }) => isCut)) break
    }
    expect(stalled[0]?.isCut).toBe(true)
    expect(stalled.at(-1)?.isCut).toBe(false)
    expect(reading.isCut).toBe(false)
    expect(stalled.length * text.length).toBeGreaterThanOrEqual(LIMITS.subscribersBytes)
  })
})
