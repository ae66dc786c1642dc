import type { SessionShown } from '@string-os/protocol'
import type { VNode } from 'preact'
import { Markdown } from '../../text/markdown.tsx'
import { shownLine } from '../../text/shown.ts'
import { Plain } from '../../text/visible.tsx'
import type { Shortcut } from './use-shortcuts.ts'

interface ShowsProps {
  readonly view: SessionShown
  readonly shortcuts: readonly Shortcut[]
  readonly onOpen: (target: string) => void
}

/** What the topic shows now: a document to be read, or the screen of a shell. */
export function Shows({ view, shortcuts, onOpen }: ShowsProps): VNode {
  const { text, format, screen, meta } = view
  if (screen !== null) {
    return (
      <div class="screen">
        <Plain text={text} label="Screen" />
      </div>
    )
  }
  return (
    <article class="document" aria-label={shownLine(meta?.title ?? 'Document')}>
      {meta?.warnings?.map((warning) => (
        <p class="waiting" key={warning}>
          <bdi>{shownLine(warning)}</bdi>
        </p>
      ))}
      {format === 'markdown' ? (
        <Markdown text={`${withoutActions(text, meta?.actions)}${definitions(shortcuts)}`} open={onOpen} />
      ) : (
        <Plain text={text} />
      )}
    </article>
  )
}

/** A document names its shortcuts as `[label][@id]`, which is a link to whoever knows where `@id` leads. */
function definitions(shortcuts: readonly Shortcut[]): string {
  const known = shortcuts.filter(({ id }) => /^[\w-]+$/.test(id))
  return known.length === 0 ? '' : `\n\n${known.map(({ id }) => `[@${id}]: @${id}`).join('\n')}\n`
}

/** The first line names the actions, which are buttons here. */
function withoutActions(text: string, actions: readonly string[] | undefined): string {
  const line = `[actions] ${actions?.join(', ')}\n`
  return text.startsWith(line) ? text.slice(line.length) : text
}
