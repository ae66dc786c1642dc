import type { ExecResult } from '@string-os/client/browser'
import type { SessionShown } from '@string-os/protocol'
import type { VNode } from 'preact'
import { Markdown } from '../../text/markdown.tsx'
import { Line, Plain } from '../../text/visible.tsx'
import type { Ran } from './ran.ts'

type Shown = Pick<ExecResult, 'format' | 'content' | 'data'>

/** What a command answered that the topic itself does not show. */
export function Answered({
  ran,
  topic,
  onDone,
}: {
  ran: Ran
  topic: SessionShown | null
  onDone: () => void
}): VNode | null {
  const { cmd, answer } = ran
  if (answer?.ok === true && answer.value.ok && isShown(answer.value, topic)) return null
  return (
    <section class="answered" aria-label="Answer" role="status">
      <header>
        <code>
          <Line text={cmd} />
        </code>
        <button type="button" class="quiet" onClick={onDone}>
          dismiss
        </button>
      </header>
      {answer === null ? <p class="hint">Runs …</p> : null}
      {answer?.ok === false ? <Plain text={answer.reason} /> : null}
      {answer?.ok === true ? (
        <div class={answer.value.ok ? '' : 'failed'}>
          {answer.value.format === 'markdown' ? (
            <Markdown text={answer.value.content} />
          ) : (
            <Plain text={answer.value.content} />
          )}
        </div>
      ) : null}
    </section>
  )
}

/** A page that was opened is what the topic shows, and so is what a shell printed. */
const isShown = ({ format, content, data }: Shown, topic: SessionShown | null): boolean =>
  topic !== null && (topic.screen !== null || (format === 'markdown' && !isOfTemplate(content, data)))

/** What an action's template made is shown nowhere else; a document that an action was answered with is opened. */
const isOfTemplate = (content: string, data: Shown['data']): boolean =>
  (data?.exit_code !== undefined || data?.content_type !== undefined) && !content.startsWith('Opened ')
