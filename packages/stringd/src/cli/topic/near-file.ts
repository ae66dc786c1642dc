import type { ExecResult, StringClient } from '@string-os/client'
import { COMMAND_MARKS, type CompletionView, nearest, type Topic } from '@string-os/protocol'

/** Of a file that is not there, what was typed with the name of the one beside it that was probably meant; else null. */
export async function nearFile(
  client: StringClient,
  topic: Topic,
  { code, content }: ExecResult,
  { text, cwd }: { readonly text: string; readonly cwd: string },
): Promise<string | null> {
  const [, path] = /^ERROR\(NOT_FOUND\): File not found: (\S+)$/m.exec(content) ?? []
  if (code !== 'NOT_FOUND' || path === undefined || !text.includes(path) || /Did you mean/.test(content)) return null
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const { items }: CompletionView = await client.complete(
    topic.canonical,
    `${COMMAND_MARKS[topic.type]}open ${folder}`,
    { cwd },
  )
  const close = nearest(
    path.slice(folder.length),
    items.filter(({ kind }) => kind === 'file' || kind === 'folder').map((item) => item.text.slice(folder.length)),
  )
  return close === null ? null : text.replace(path, `${folder}${close}`)
}
