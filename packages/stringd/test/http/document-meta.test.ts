import { describe, expect, it } from 'vitest'
import { documentMeta, type TopicDocument } from '../../src/http/handle/document-meta.ts'

const FACTS = { actions: [], menus: [], blocks: [], warnings: [], page: 1, pages: 1 }

const shown = (block: string | null, facts = {}, appPath: string | null = null): TopicDocument => ({
  address: { ok: true, kind: 'web', url: 'https://e.test/a', from: null, block },
  uri: 'uri:x',
  title: 'X',
  folder: null,
  source: false,
  appPath,
  facts: { ...FACTS, ...facts },
})

describe('the document of a topic, as clients see it', () => {
  it('is nothing where none is open', () => {
    expect(documentMeta(null)).toBeNull()
  })

  it('tells only what there is', () => {
    expect(documentMeta(shown('part'))).toEqual({ uri: 'uri:x', title: 'X', current_block: '#part' })
    const facts = { actions: ['go'], warnings: ['odd'], menus: ['main'], page: 2, pages: 3 }
    expect(documentMeta(shown(null, facts))).toEqual({ uri: 'uri:x', title: 'X', current_block: null, ...facts })
    expect(documentMeta(shown(null, {}, 'pages/a.md'))).toMatchObject({ app_path: 'pages/a.md' })
  })
})
