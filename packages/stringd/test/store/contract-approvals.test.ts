import { beforeEach, describe, expect, it } from 'vitest'
import type { ApprovalEnd, ApprovalRow } from '../../src/store/groups/approvals.ts'
import type { Store } from '../../src/store/store.ts'
import { ENGINES, type Opened } from './engines.ts'

const T0 = '2026-01-02T03:04:05.000Z'
const T1 = '2026-01-02T03:34:05.000Z'

function approval(id: string, more: Partial<ApprovalRow> = {}): ApprovalRow {
  return {
    id,
    agentId: 'ann',
    turnId: 'trn_1',
    kind: 'permission',
    question: 'May it run bash?',
    detail: 'rm \0 -rf 🎈',
    digest: 'd1',
    run: 1,
    createdAt: T0,
    expiresAt: T1,
    state: 'waiting',
    answer: null,
    answeredBy: null,
    answeredAt: null,
    note: null,
    isTaken: false,
    ...more,
  }
}

const allowed = (by: string): ApprovalEnd => ({
  state: 'allowed',
  answer: 'allow',
  answeredBy: by,
  answeredAt: T1,
  note: null,
})

const ANY = { agentId: null, turnId: null, state: null, before: null, after: null, limit: 10 }

describe.each(ENGINES)('approvals in the store $name', ({ isHere, prepare }) => {
  describe.skipIf(!isHere)('keep what they promise', () => {
    const open = prepare()
    let opened: Opened
    let store: Store

    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })

    it('P1: are there when the store is opened again, whatever characters they hold', async () => {
      await store.approvals.add(approval('apr_1'))
      await store.close()
      const again = await opened.reopen()
      expect(await again.approvals.byId('apr_1')).toEqual(approval('apr_1'))
      expect(await again.approvals.byId('apr_2')).toBeNull()
    })

    it('are listed newest first, or from a place on oldest first, by agent, turn and state', async () => {
      await store.approvals.add(approval('apr_1'))
      await store.approvals.add(approval('apr_2', { agentId: 'bob', turnId: null }))
      await store.approvals.add(approval('apr_3', { turnId: 'trn_2' }))
      await store.approvals.settle('apr_3', allowed('eve'))
      const list = async (more: object): Promise<string[]> =>
        (await store.approvals.list({ ...ANY, ...more })).map(({ id }) => id)
      expect(await list({})).toEqual(['apr_3', 'apr_2', 'apr_1'])
      expect(await list({ limit: 1, before: 'apr_3' })).toEqual(['apr_2'])
      expect(await list({ state: 'waiting', after: '' })).toEqual(['apr_1', 'apr_2'])
      expect(await list({ state: 'waiting', after: 'apr_1' })).toEqual(['apr_2'])
      expect(await list({ agentId: 'ann' })).toEqual(['apr_3', 'apr_1'])
      expect(await list({ agentId: 'ann', state: 'waiting' })).toEqual(['apr_1'])
      expect(await list({ turnId: 'trn_2' })).toEqual(['apr_3'])
      expect((await store.approvals.waiting(10)).toSorted()).toEqual(['ann', 'bob'])
      expect(await store.approvals.waiting(1)).toHaveLength(1)
    })

    it('P3: are settled once: of many that answer at the same time one is first, and all hear who', async () => {
      await store.approvals.add(approval('apr_1'))
      const people = Array.from({ length: 20 }, (_, index) => `person ${index}`)
      const second = opened.second === null ? store : await opened.second()
      const answers = await Promise.all(
        people.map((by, index) => (index % 2 === 0 ? store : second).approvals.settle('apr_1', allowed(by))),
      )
      expect(answers.filter((answer) => answer?.isFirst === true)).toHaveLength(1)
      const first = answers.find((answer) => answer?.isFirst === true)?.approval
      expect(people).toContain(first?.answeredBy)
      for (const answer of answers) expect(answer?.approval).toEqual(first)
      expect(await store.approvals.byId('apr_1')).toEqual(first)
      expect(await store.approvals.settle('apr_none', allowed('eve'))).toBeNull()
    })

    it('are asked again by a later run under the same id, until their answer was told', async () => {
      await store.approvals.add(approval('apr_1'))
      await store.approvals.add(approval('apr_2'))
      expect(await store.approvals.askAgain('trn_1', 'd1', 1)).toBeNull()
      expect(await store.approvals.askAgain('trn_1', 'other', 2)).toBeNull()
      expect(await store.approvals.askAgain('trn_2', 'd1', 2)).toBeNull()
      expect(await store.approvals.askAgain('trn_1', 'd1', 2)).toMatchObject({ id: 'apr_1', run: 2 })
      expect(await store.approvals.askAgain('trn_1', 'd1', 2)).toMatchObject({ id: 'apr_2', run: 2 })
      expect(await store.approvals.askAgain('trn_1', 'd1', 2)).toBeNull()
      await store.approvals.settle('apr_1', allowed('eve'))
      expect(await store.approvals.askAgain('trn_1', 'd1', 3)).toMatchObject({ id: 'apr_1', state: 'allowed' })
      expect(await store.approvals.take('apr_1')).toBe(true)
      expect(await store.approvals.take('apr_1')).toBe(false)
      await store.approvals.settle('apr_2', { ...allowed('eve'), state: 'withdrawn', answer: null })
      expect(await store.approvals.askAgain('trn_1', 'd1', 4)).toBeNull()
    })

    it('are removed with their agent, and forgotten when they are over', async () => {
      for (const id of ['apr_1', 'apr_2', 'apr_3']) await store.approvals.add(approval(id))
      await store.approvals.settle('apr_1', allowed('eve'))
      expect(await store.approvals.prune('apr_3', 10)).toBe(1)
      expect(await store.approvals.remove('ann', 1)).toBe(1)
      expect(await store.approvals.remove('ann', 10)).toBe(1)
    })

    it('are part of a change over all groups', async () => {
      const failed = store.transaction(async (groups) => {
        await groups.approvals.add(approval('apr_1'))
        await groups.approvals.settle('apr_1', allowed('eve'))
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(await store.approvals.byId('apr_1')).toBeNull()
    })
  })
})
