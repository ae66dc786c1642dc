import type { CompletionView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { topics } from '../../data/calls.ts'
import { useKeys } from '../../frame/use-keys.ts'
import { Line } from '../../text/visible.tsx'

interface LineProps {
  readonly agent: string
  readonly topic: string
  readonly isBusy: boolean
  readonly onRun: (cmd: string) => Promise<void>
}

/** How many of what may stand there are shown. */
const SHOWN = 8
const TYPING_MS = 120

/** A line to type into, with what may stand there next: Tab takes it, Enter runs what is typed. */
export function CommandLine({ agent, topic, isBusy, onRun }: LineProps): VNode {
  const [text, setText] = useState('')
  const [offered, setOffered] = useState<CompletionView | null>(null)
  const [at, setAt] = useState(0)
  const [past, setPast] = useState<readonly string[]>([])
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useKeys([{ keys: 'c', about: 'Type a command', run: () => field.current?.focus() }])
  useEffect(() => {
    setAt(0)
    setOffered(null)
    if (text === '' || text.includes('\n')) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      void topics.complete(agent, topic, text, stop.signal).then((answer) => {
        if (answer.ok) setOffered(answer.value)
      })
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [agent, topic, text])
  const items = offered?.items.slice(0, SHOWN) ?? []
  const take = (index: number): void => {
    const item = items[index]
    if (item === undefined || offered === null) return
    setText(`${text.slice(0, offered.from)}${item.text}${item.kind === 'folder' ? '' : ' '}`)
    field.current?.focus()
  }
  const run = (): void => {
    const cmd = text.trim()
    if (cmd === '' || isBusy) return
    setPast([...past.filter((each) => each !== text), text])
    setText('')
    void onRun(text.trimEnd())
  }
  const recall = (): void => setText(past[past.indexOf(text) <= 0 ? past.length - 1 : past.indexOf(text) - 1] ?? text)
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return offered === null ? field.current?.blur() : setOffered(null)
    if (event.isComposing || (event.key === 'Enter' && event.shiftKey)) return
    if (event.key === 'Enter') run()
    else if (event.key === 'Tab' && !event.shiftKey && items.length > 0) take(at)
    else if (event.key === 'ArrowDown' && items.length > 0) setAt((at + 1) % items.length)
    else if (event.key === 'ArrowUp' && items.length > 0 && text !== '') setAt((at + items.length - 1) % items.length)
    else if (event.key === 'ArrowUp' && !text.includes('\n') && past.length > 0) recall()
    else return
    event.preventDefault()
  }
  return (
    <form
      class="composer command"
      aria-label="Command"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <div class="offers" role="listbox" id={id} aria-label="What may stand here" hidden={items.length === 0}>
        {items.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={item.text}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => take(index)}
          >
            <code>
              <Line text={item.text} chars={100} />
            </code>{' '}
            <Line text={item.about ?? item.kind} chars={100} />
          </div>
        ))}
      </div>
      <div class="line">
        <span class="prompt" aria-hidden="true">
          {topic.startsWith('bash:') ? '$' : '/'}
        </span>
        <textarea
          ref={field}
          rows={1}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={items.length === 0 ? undefined : `${id}-${at}`}
          aria-label={`Command in ${topic}`}
          placeholder={topic.startsWith('bash:') ? 'command; //help for others' : '/open, /ls, /find, /help …'}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={press}
        />
        <button type="submit" class="act main" disabled={text.trim() === ''} aria-disabled={isBusy}>
          Run
        </button>
      </div>
      <p class="usage">{offered?.usage == null ? '' : <Line text={offered.usage} />}</p>
    </form>
  )
}
