import { visibleLine } from '@string-os/protocol'
import { dim } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import type { Talk } from './talk.ts'

const SHOWN_ACTIONS = 6
const CALL = '/act.'

/** Who comes to the topic of an app sees its first page; where a document is open there, what that is. And what can be typed. */
export async function greetApp(at: Talk, run: (command: string) => Promise<void>): Promise<void> {
  if (at.view.topic.type !== 'app') return
  const { document } = at.view
  if (document === null) await run('/open')
  else at.reader.print(visibleLine(document.title ?? at.view.topic.canonical))
  const hint = whatToType(await actionsNow(at), document !== null)
  if (at.hints && hint !== null) at.reader.print(dim(prose(hint, process.stdout), at.paint.color))
}

/** The document may have changed since it was opened, which completion looks at. */
async function actionsNow({ completer, view }: Talk): Promise<readonly string[]> {
  const known = view.document?.actions ?? []
  const now = await completer.complete(CALL, new AbortController().signal)
  if (known.length === 0 || now === null) return known
  return now.items.flatMap(({ text, kind }) => (kind === 'action' ? [text.slice(CALL.length)] : []))
}

function whatToType(actions: readonly string[], isOpen: boolean): string | null {
  const shown = actions.slice(0, SHOWN_ACTIONS).map((name) => `/act.${visibleLine(name)}`)
  const more = actions.length > shown.length ? ', …' : ''
  const told = [
    ...(shown.length === 0 ? [] : [`${shown.join(', ')}${more}: /act --help tells what each takes`]),
    ...(isOpen ? ['/open shows the first page'] : []),
  ]
  return told.length === 0 ? null : `(${told.join('; ')})`
}
