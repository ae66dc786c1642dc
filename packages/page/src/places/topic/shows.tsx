import type { SessionShown } from '@string-os/protocol'
import type { VNode } from 'preact'
import { Markdown } from '../../text/markdown.tsx'
import { Line, Plain } from '../../text/visible.tsx'

/** What the topic shows now: a document to be read, or the screen of a shell. */
export function Shows({ view, onOpen }: { view: SessionShown; onOpen: (target: string) => void }): VNode {
  const { text, format, screen, meta } = view
  if (screen !== null) {
    return (
      <div class="screen">
        <Plain text={text} label="Screen" />
      </div>
    )
  }
  return (
    <article class="document" aria-label={meta?.title ?? 'Document'}>
      {meta?.warnings?.map((warning) => (
        <p class="waiting" key={warning}>
          <Line text={warning} />
        </p>
      ))}
      {format === 'markdown' ? <Markdown text={text} open={onOpen} /> : <Plain text={text} />}
    </article>
  )
}
