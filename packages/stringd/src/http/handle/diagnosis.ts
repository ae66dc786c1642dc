import { LIMITS, LOG_LEVELS } from '@string-os/protocol'
import type { Exchange, Services } from '../route.ts'
import { sendError, sendJson } from '../serve/respond.ts'
import { timeOf } from './query-time.ts'

/** What the daemon finds out about itself. */
export async function showDoctor({ response }: Exchange, { diagnose }: Services): Promise<void> {
  sendJson(response, 200, await diagnose())
}

/** The end of the daemon's log, newest first. */
export async function listLog({ response, query }: Exchange, { readLog }: Services): Promise<void> {
  const given = query()
  const named = given.get('level') ?? 'debug'
  const level = LOG_LEVELS.find((each) => each === named)
  if (level === undefined) return sendError(response, 400, `"level" is one of ${LOG_LEVELS.join(', ')}`)
  const limit = Number(given.get('limit') ?? LIMITS.listedLog)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > LIMITS.listedLogMax)
    return sendError(response, 400, `"limit" is a number from 1 to ${LIMITS.listedLogMax}`)
  const [since, before] = [timeOf(given.get('since')), timeOf(given.get('before'))]
  if (since === undefined || before === undefined)
    return sendError(response, 400, '"since" and "before" must be times such as 2026-03-19T05:30:00Z')
  sendJson(response, 200, { log: await readLog({ limit, level, since, before }) })
}
