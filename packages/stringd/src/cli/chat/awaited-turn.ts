import type { TurnSummary } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { chatOverPipe } from './chat-pipe.ts'
import { daemonConversation } from './daemon-conversation.ts'
import { daemonLine } from './daemon-line.ts'

/** Shows what a turn says that goes on, and ends as a chat does that was given its message: 1 where it failed. */
export async function awaitTurn(turn: TurnSummary, isJson: boolean, config: Config): Promise<number> {
  const { agent_id, session, turn_id: turnId, message } = turn
  const conversation = await daemonConversation(await daemonLine(config), agent_id, session)
  const say: typeof conversation.say = async (_, hooks) => ({ ...(await conversation.follow(turn, hooks)), turnId })
  return chatOverPipe({ ...conversation, say }, { message, isJson }, config)
}
