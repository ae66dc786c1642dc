import type { VNode } from 'preact'
import type { TopicView } from '../../data/shapes.ts'
import { Markdown } from '../../text/markdown.tsx'
import { Line, Plain } from '../../text/visible.tsx'

/** What the topic shows now: a document to be read, or the screen of a shell. */
export function Shows({ view, onOpen }: { view: TopicView; onOpen: (target: string) => void }): VNode {
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
