import { inOwnName } from '../program-name.ts'
import { shortId } from '../turns/short-id.ts'

/** What is said to a person who leaves while an agent of the daemon works. */
export function goesOnText(label: string, turnId: string): string {
  const [agent = ''] = label.split('/')
  const show = `string turn show ${shortId(turnId)}`
  return inOwnName(`The turn goes on: ${show} tells how it ends, string chat --agent ${agent} goes on with the talk`)
}
