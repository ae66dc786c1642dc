import { OWNER_VARIABLE } from '@string-os/bridge/reap'
import type { Topic } from '@string-os/protocol'
import { ownEnvironment } from '../../config.ts'
import { CliError, EXIT } from '../exit.ts'

/** In the shell of a topic a prompt of that topic would show what itself shows, without end. */
export function refuseWithin(topic: Topic, agent: string): void {
  const [, whose, name] = /^[^:]*:([^/]*)\/([^/]*)\//.exec(ownEnvironment()[OWNER_VARIABLE] ?? '') ?? []
  if (topic.type !== 'bash' || name !== topic.canonical || whose !== agent) return
  throw new CliError(EXIT.usage, `You are in the shell of ${topic.canonical} already: type here what it is to run`)
}
