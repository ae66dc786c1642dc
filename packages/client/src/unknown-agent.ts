import { type AgentRow, didYouMean } from '@string-os/protocol'
import { atCaller } from './at-caller.ts'
import { HttpError, UNKNOWN_AGENT } from './errors.ts'
import { untilAborted } from './until-aborted.ts'

type ListAgents = () => Promise<readonly AgentRow[]>

/** How the next step begins where that was found out already. */
const MEANT = 'Did you mean '

/** As the daemon refuses its commands. */
export function unknownAgent(id: string): HttpError {
  return new HttpError(401, `${UNKNOWN_AGENT}${id}`)
}

/** What `work` gives. An agent that nobody has may be misspelt: the refusal says which one could be meant. */
export async function agentMeant<T>(list: ListAgents, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw atCaller(await withMeant(error, list, signal))
  }
}

/** The same of what is told as it comes. */
export async function* agentMeantBy<T>(
  list: ListAgents,
  news: AsyncGenerator<T>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  try {
    yield* news
  } catch (error) {
    throw atCaller(await withMeant(error, list, signal))
  }
}

async function withMeant(error: unknown, list: ListAgents, signal: AbortSignal | undefined): Promise<unknown> {
  if (!(error instanceof HttpError) || error.unknownAgent === null || error.next.startsWith(MEANT)) return error
  const names = await untilAborted(signal, list)
    .then((agents) => agents.map(({ id }) => id))
    // Nobody can be asked: then the refusal is all that there is.
    .catch(() => [])
  signal?.throwIfAborted()
  const meant = didYouMean(error.unknownAgent, names)
  if (meant === '') return error
  return new HttpError(error.status, error.message, error.message, `${meant} ${error.next}`)
}
