import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { SseParser, type TurnState, type TurnSummary } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { postEvent } from '../../packages/stringd/test/support/turns.ts'
import type { Foreground } from '../support/foreground.ts'
import { keyHeader } from '../support/keys.ts'
import {
  allTurns,
  end,
  expectDealtWith,
  hold,
  kill,
  killUnderTurns,
  type TurnPlace,
  turnPlace,
} from './kill-under-turns.ts'

/** Kills the daemon as soon as a turn has reached a state. */
async function killAt(daemon: Foreground, state: TurnState, begin: () => Promise<unknown>): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${daemon.port}/turns/watch`, { headers: keyHeader(daemon.port) })
  const parser = new SseParser()
  const decoder = new TextDecoder()
  const watching = (async () => {
    for await (const chunk of response.body ?? []) {
      const told = parser.push(decoder.decode(chunk as Uint8Array, { stream: true }))
      if (told.some(({ event, data }) => event === 'turn' && (JSON.parse(data) as TurnSummary).state === state)) {
        daemon.child.kill('SIGKILL')
        return
      }
    }
  })().catch(() => undefined)
  await begin()
  await watching
  await daemon.exited
}

type KillThere = (daemon: Foreground, place: TurnPlace) => Promise<string>

const PLACES: readonly (readonly [string, KillThere])[] = [
  [
    'the event is stored',
    async (daemon) => {
      const id = await postEvent(daemon.port, 'x')
      await kill(daemon)
      return id
    },
  ],
  ...(['queued', 'running', 'done'] as const).map(
    (state) =>
      [
        `the turn is stored as ${state}`,
        async (daemon: Foreground) => {
          let id = ''
          await killAt(daemon, state, async () => {
            id = await postEvent(daemon.port, 'x')
          })
          return id
        },
      ] as const,
  ),
  ...(['started', 'answered'] as const).map(
    (at) =>
      [
        `the process has ${at}`,
        async (daemon: Foreground, { home, lines }: TurnPlace) => {
          hold(home, at)
          const id = await postEvent(daemon.port, 'x')
          await expect.poll(() => lines(at)).toEqual(['x'])
          await kill(daemon)
          rmSync(join(home, `hold-${at}`))
          return id
        },
      ] as const,
  ),
]

describe('SIGKILL of the daemon between an event and its answer', () => {
  it.each(PLACES)('when %s: the event is dealt with, by one turn', async (_, killThere) => {
    const place = await turnPlace()
    const first = await place.start()
    const id = await killThere(first, place)
    const second = await place.start()
    await expectDealtWith(second.port, [id])
    expect(place.lines('overlaps')).toEqual([])
    expect(place.lines('started').length).toBeLessThanOrEqual(2)
    await end(second)
  })

  it('again and again while its process runs: no run counts as a failure, and no process runs beside another', async () => {
    const place = await turnPlace()
    hold(place.home, 'started')
    let daemon = await place.start()
    const id = await postEvent(daemon.port, 'x')
    for (let run = 1; run <= 5; run += 1) {
      await expect.poll(() => place.lines('started').length).toBe(run)
      await kill(daemon)
      daemon = await place.start()
    }
    rmSync(join(place.home, 'hold-started'))
    await expectDealtWith(daemon.port, [id])
    expect(place.lines('overlaps')).toEqual([])
    expect(await allTurns(daemon.port)).toHaveLength(1)
    await end(daemon)
  })

  it('at any moment, while events come and a person asks', async () => {
    await killUnderTurns({ kills: 6 })
  }, 180_000)
})
