import type { MarkdownToken } from '@string-os/protocol'
import { markdownTokens } from '../../document/parse/markdown-tokens.ts'
import { readSource } from '../../files/files.ts'
import type { CommandContext } from '../core/context.ts'
import { FIRST_PAGE, pageAt } from './view.ts'

export interface Look {
  readonly text: string
  /** The text parsed, where it is Markdown. */
  readonly tokens: readonly MarkdownToken[] | null
}

const NOTHING: Look = { text: '', tokens: null }

/** What a topic shows, for somebody who looks on: nothing is shown anew, gone to, or asked of anybody outside. */
export async function lookAt({ reader, session }: CommandContext): Promise<Look> {
  const { document } = session
  if (document === null) return NOTHING
  const { address, facts } = document
  if (document.source && (address.kind === 'file' || address.kind === 'folder')) {
    const source = readSource(address.place, '', facts.page)
    return { text: source.ok ? (source.text ?? '') : '', tokens: null }
  }
  const loaded = await reader.atHand()
  const shown = loaded === null ? null : pageAt(address, loaded, { ...FIRST_PAGE, page: facts.page })
  if (loaded === null || shown === null || !shown.ok) return NOTHING
  const text = shown.content ?? ''
  return { text, tokens: loaded.page.document.isPlain === true ? null : markdownTokens(text) }
}
