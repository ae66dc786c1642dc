import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { VERBS } from '../../packages/stringd/src/cli/verbs.ts'
import { stringPlace } from '../support/cli.ts'

/** Every way to name an agent, a turn, an event, a question or a topic that there is not. */
const MISSING = [
  'agent show nobody',
  'agent status nobody',
  'agent stop nobody',
  'agent start nobody',
  'agent pause nobody',
  'agent resume nobody',
  'agent remove nobody',
  'agent remove nobody --yes',
  'agent allow nobody',
  'agent allow nobody /tmp',
  'chat nobody -m x',
  'turns nobody',
  'turns --agent nobody',
  'turn show zzzzzzzz',
  'turn retry zzzzzzzz',
  'turn cancel zzzzzzzz',
  'turn show trn_01hx3v9k2m4n6p8q0r2s4t6v8w',
  'approvals --agent nobody',
  'page nobody',
  'approve zzzzzzzz',
  'deny zzzzzzzz',
  'approve apr_01hx3v9k2m4n6p8q0r2s4t6v8w',
  'usage nobody',
  'events nobody',
  'events read zzzzzzzz',
  'events ack zzzzzzzz',
  'events retry zzzzzzzz',
  'webhook show nobody',
  'webhook rotate nobody',
  'deliveries nobody',
  'stop nothing-open',
  'status --agent nobody',
  'logs nobody',
  `fleet move nobody ${hostname()}`,
  'main /info --agent nobody',
  'app list --agent nobody',
  'chanflow --agent nobody',
]

/** The same verbs without what they need, or with what they do not know. */
const WRONG = [
  'agent show',
  'agent status',
  'agent shwo bob',
  'agent show a/b',
  'turns --nope',
  'turn show',
  'approve',
  'deny',
  'events read',
  'webhook shwo bob',
  'deliveries a b',
  'usage a b',
  'logs a b',
  'fleet move nobody',
  'chat --nope',
]

const NAMING: readonly unknown[] = ['agent', 'talker', 'turn']

describe('the exit status', () => {
  it('is 1 where nothing has the name or ID that was given, in every verb, with NOT_FOUND for programs', async () => {
    const place = stringPlace()
    await place.string(['agent', 'add', 'bob'])
    const ended = await Promise.all(
      MISSING.map(async (line) => {
        const { status, stdout } = await place.string([...line.split(' '), '--json'], { input: '' })
        return `${status} ${(JSON.parse(stdout || '{}') as { code?: string }).code}: ${line}`
      }),
    )
    expect(ended).toEqual(MISSING.map((line) => `1 NOT_FOUND: ${line}`))
  }, 120_000)

  it('is 2 where the line itself is wrong', async () => {
    const place = stringPlace()
    const ended = await Promise.all(
      WRONG.map(async (line) => `${(await place.string(line.split(' '), { input: '' })).status}: ${line}`),
    )
    expect(ended).toEqual(WRONG.map((line) => `2: ${line}`))
  }, 120_000)

  it('is looked at for every verb that takes a name', () => {
    const named = VERBS.flatMap(({ name, takes, subverbs = [] }) => [
      ...(NAMING.includes(takes) ? [name] : []),
      ...subverbs.filter((sub) => NAMING.includes(sub.takes)).map((sub) => `${name} ${sub.name}`),
    ])
    expect(named.filter((verb) => !MISSING.some((line) => line.startsWith(`${verb} `)))).toEqual([])
  })
})
