import type { StringClient } from '@string-os/client'
import { COMMAND_MARKS, parseTopic, type Topic } from '@string-os/protocol'

/** Where the relative paths of a String command in a bash topic start: where its shell is. Null: it has none, or they start elsewhere. */
export async function shellFolder(client: StringClient, topic: Topic | null, command: string): Promise<string | null> {
  if (topic?.type !== 'bash' || !command.startsWith(COMMAND_MARKS.bash)) return null
  const { data, topic: name } = await client.exec(topic.canonical, '//info')
  return typeof data?.cwd === 'string' && parseTopic(name)?.type === 'bash' ? data.cwd : null
}
