import { type AgentRow, didYouMean } from '@string-os/protocol'
import { atCaller } from './at-caller.ts'
import { HttpError, UNKNOWN_AGENT } from './errors.ts'

type ListAgents = () => Promise<readonly AgentRow[]>

/** How the next step begins where that was found out already. */
const MEANT = 'Did you mean '

/** As the daemon refuses its commands. */
export function unknownAgent(id: string): HttpError {
  return new HttpError(401, `${UNKNOWN_AGENT}${id}`)
}

/** What `work` gives. An agent that nobody has may be misspelt: the refusal says which one could be meant. */
export async function agentMeant<T>(list: ListAgents, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw atCaller(await withMeant(error, list))
  }
}

/** The same of what is told as it comes. */
export async function* agentMeantBy<T>(list: ListAgents, news: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* news
  } catch (error) {
    throw atCaller(await withMeant(error, list))
  }
}

async function withMeant(error: unknown, list: ListAgents): Promise<unknown> {
  if (!(error instanceof HttpError) || error.unknownAgent === null || error.next.startsWith(MEANT)) return error
  const names = await list()
    .then((agents) => agents.map(({ id }) => id))
    // Nobody can be asked: then the refusal is all that there is.
    .catch(() => [])
  const meant = didYouMean(error.unknownAgent, names)
  if (meant === '') return error
  return new HttpError(error.status, error.message, error.message, `${meant} ${error.next}`)
}
