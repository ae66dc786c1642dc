import type { Document } from '../document.ts'
import { unseenWarnings } from '../text/unseen.ts'

/** A text that is no Markdown has no structure; the reader sees it as it is. */
export function plainDocument(text: string): Document {
  const none: readonly never[] = []
  return {
    text,
    isPlain: true,
    frontMatter: { title: null, values: new Map() },
    blocks: none,
    sections: none,
    links: none,
    directives: none,
    actions: none,
    hidden: none,
    warnings: unseenWarnings(text),
  }
}
