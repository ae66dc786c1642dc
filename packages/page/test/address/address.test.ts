import { describe, expect, it } from 'vitest'
import { addressOf, type Place, placeOf } from '../../src/address/address.ts'

const PLACES: readonly [string, Place][] = [
  ['#/', { kind: 'agents' }],
  ['#/agents/ada', { kind: 'agent', agent: 'ada' }],
  ['#/agents/ada/turns/trn_1', { kind: 'turn', agent: 'ada', turn: 'trn_1' }],
  ['#/agents/ada/sessions/a%2Fb%20c', { kind: 'session', agent: 'ada', session: 'a/b c' }],
  ['#/agents/ada/topics/bash%3Abuild', { kind: 'topic', agent: 'ada', topic: 'bash:build' }],
  ['#/inbox', { kind: 'inbox', event: null }],
  ['#/inbox/evt_1', { kind: 'inbox', event: 'evt_1' }],
  ['#/outbox', { kind: 'outbox' }],
  ['#/approvals', { kind: 'approvals', approval: null }],
  ['#/approvals/apr_1', { kind: 'approvals', approval: 'apr_1' }],
  ['#/webhooks', { kind: 'webhooks' }],
  ['#/system', { kind: 'system' }],
  ['#/fleet', { kind: 'fleet' }],
]

describe('an address', () => {
  it.each(PLACES)('%s is a place, and the place has that address', (address, place) => {
    expect(placeOf(address)).toEqual(place)
    expect(addressOf(place)).toBe(address)
  })

  it.each(['', '#'])('that is empty is that of all agents', (address) => {
    expect(placeOf(address)).toEqual({ kind: 'agents' })
  })

  it.each([
    '#/nothing',
    '#/agents',
    '#/agents/ada/turns',
    '#/agents/ada/what/x',
    '#/inbox/a/b',
    '#/system/x',
    '#/%',
    '#/agents/ada/turns/x/y',
    '#/__proto__',
  ])('%s leads nowhere', (address) => {
    expect(placeOf(address)).toEqual({ kind: 'nowhere', hash: address })
  })
})
