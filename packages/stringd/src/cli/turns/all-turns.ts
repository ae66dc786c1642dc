import type { StringClient, TurnFilter, TurnSummary } from '@string-os/client'
import { LIMITS } from '@string-os/protocol'

/** Turns newest first, list after list, until there are `limit` that are wanted. */
export async function* allTurns(
  client: StringClient,
  { limit, ...filter }: TurnFilter & { readonly limit: number },
  isWanted: (turn: TurnSummary) => boolean = () => true,
): AsyncGenerator<TurnSummary> {
  let before: string | undefined
  for (let left = limit; left > 0; ) {
    const size = Math.min(left, LIMITS.listedTurnsMax)
    const turns = await client.turns.list({ ...filter, limit: size, before })
    const wanted = turns.filter(isWanted)
    yield* wanted
    before = turns.at(-1)?.turn_id
    left = turns.length < size ? 0 : left - wanted.length
  }
}

/** As many as are listed at once, newest first: what a watch has to know already, whichever of them are asked for. */
export async function newestTurns(client: StringClient, agent: string | undefined): Promise<TurnSummary[]> {
  const found: TurnSummary[] = []
  for await (const turn of allTurns(client, { agent, limit: LIMITS.listedTurnsMax })) found.push(turn)
  return found
}
