import { type AgentActivity, type TurnAttachment, truncate } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { turns } from '../../data/calls.ts'
import { useKeys } from '../../frame/use-keys.ts'
import { Line } from '../../text/visible.tsx'
import { readFiles } from './read-files.ts'

interface ComposerProps {
  readonly agent: AgentActivity
  readonly session: string
  readonly onSent: () => void
}

/** Where a message is written: Enter sends it, with Shift it is a line end. */
export function Composer({ agent, session, onSent }: ComposerProps): VNode {
  const { notices } = useApp()
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly TurnAttachment[]>([])
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  useKeys([{ keys: 'c', about: 'Write a message', run: () => field.current?.focus() }])
  const send = async (): Promise<void> => {
    if (isSending || (text.trim() === '' && files.length === 0)) return
    setSending(true)
    const given = { session, attachments: files, requestId: crypto.randomUUID() }
    const answer = await turns.begin(agent.id, text, given)
    setSending(false)
    if (!answer.ok) return notices.show({ kind: 'failed', text: answer.reason })
    notices.show(null)
    setText('')
    setFiles([])
    onSent()
  }
  const choose = async (list: FileList | null): Promise<void> => {
    const read = await readFiles(list ?? [])
    if (read.ok) setFiles([...files, ...read.files])
    else notices.show({ kind: 'failed', text: read.reason })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') field.current?.blur()
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void send()
  }
  if (!agent.has_profile) return <NoProfile agent={agent.id} />
  return (
    <form
      class="composer"
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {files.length === 0 ? null : (
        <ul class="files" aria-label="Files that go along">
          {files.map(({ name }, at) => (
            <li key={at}>
              <Line text={name ?? 'file'} chars={60} />
              <button
                type="button"
                class="quiet"
                aria-label={`Leave out ${name}`}
                onClick={() => setFiles(files.filter((_, index) => index !== at))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="line">
        <span class="prompt" aria-hidden="true">
          ›
        </span>
        <textarea
          ref={field}
          rows={1}
          aria-label={`Message to ${agent.id}`}
          placeholder={`message to ${truncate(agent.id, 24)}`}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={press}
          onPaste={(event) => {
            if ((event.clipboardData?.files.length ?? 0) > 0) void choose(event.clipboardData?.files ?? null)
          }}
        />
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files"
          onChange={({ currentTarget }) => {
            void choose(currentTarget.files).then(() => {
              currentTarget.value = ''
            })
          }}
        />
        <button type="button" class="act plain" onClick={() => chooser.current?.click()}>
          Attach
        </button>
        <button
          type="submit"
          class="act main"
          disabled={text.trim() === '' && files.length === 0}
          aria-disabled={isSending}
        >
          Send
        </button>
      </div>
      <p class="usage">Enter sends, Shift-Enter begins a line</p>
    </form>
  )
}

function NoProfile({ agent }: { agent: string }): VNode {
  return (
    <div class="composer">
      <p class="hint">
        {agent} has no profile, so nobody answers a message. <code>string agent add {agent} --profile FILE</code> gives
        it one.
      </p>
    </div>
  )
}
