import { UnreachableError } from '@string-os/client'
import { DEFAULT_AGENT, LIMITS, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { storedAgents } from '../../doctor/registry.ts'
import { logPath, readLog } from '../../read-log.ts'
import { checkAgent, knownAgent, noAgentAmong } from '../agent/known-agent.ts'
import { namedAgent } from '../agent/named-agent.ts'
import type { Invocation } from '../arguments.ts'
import { connect, connectPatiently, untilInterrupted, WAITING } from '../daemon/connect.ts'
import { whyShut } from '../daemon/shut-folder.ts'
import { CliError, EXIT, isCliError, noSuchThing } from '../exit.ts'
import { atLeastOne, FOLLOW, parseFlags } from '../flags.ts'
import { asCalled, inOwnName, ownName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { lookOf } from '../terminal/look.ts'
import { newestTurns } from '../turns/all-turns.ts'
import { clockTime } from '../turns/time.ts'
import type { Program } from '../verb-row.ts'
import { parseSince } from '../verb-rows/since.ts'
import { DaemonAbsence } from './daemon-absence.ts'
import type { TimelineEntry } from './entry.ts'
import { withReasons } from './explain.ts'
import { followTimeline } from './follow.ts'
import { entryText } from './show-entry.ts'
import { logOf, newest, type TimelineAsked, timeline } from './timeline.ts'

const OPTIONS = {
  follow: FOLLOW,
  failed: { type: 'boolean' },
  since: { type: 'string' },
  limit: { type: 'number' },
} as const

/** `string logs [AGENT]`: what happened, the newest last; with `--follow` also what happens from now on, until Ctrl-C. */
export async function runLogsVerb(invocation: Invocation, config: Config, program: Program): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const asked = readAsked(words, values, invocation.agent)
  const isJson = invocation.format === 'json'
  if (values.follow) return follow(config, asked, isJson)
  const { entries, why } = await look(config, asked)
  if (isJson) console.log(JSON.stringify(entries.map(dataOf)))
  else if (entries.length > 0) console.log(entries.map(shower(config, asked)).join('\n'))
  else console.log(nothing(asked, why === null))
  if (!isJson) hint(entries, asked, { config, program })
  if (why === null) return EXIT.ok
  process.stderr.write(`${program.name}: ${asCalled(why, program.name)}\n`)
  return EXIT.unreachable
}

/** A file that holds a part of it cannot say that there was nothing. */
function nothing({ agent, failed, since }: TimelineAsked, isWhole: boolean): string {
  if (isWhole) return failed ? 'Nothing has failed' : 'Nothing has happened'
  const when = since === undefined ? '' : ` since ${clockTime(since.toISOString(), Date.now())}`
  const whose = agent === undefined ? '' : ` of ${visibleLine(agent)}`
  return `daemon.log has no ${failed ? 'failure' : 'line'}${whose}${when}`
}

function readAsked(
  words: readonly string[],
  {
    failed,
    since,
    limit = LIMITS.timelineRows,
  }: { failed: boolean; since?: string | undefined; limit?: number | undefined },
  flagged: string | null,
): TimelineAsked {
  const agent = namedAgent(words, flagged) ?? undefined
  return {
    agent,
    failed,
    limit: atLeastOne('limit', limit),
    since: since === undefined ? undefined : parseSince(since, Date.now()),
  }
}

/** What a daemon knows; where none can be had, what its log says, and why there is no more. */
async function look(
  config: Config,
  asked: TimelineAsked,
): Promise<{ entries: readonly TimelineEntry[]; why: string | null }> {
  try {
    const client = await connect(config)
    const entries = await withReasons(client, await timeline(client, asked))
    const { agent } = asked
    // Nothing was found for a name that may be mistyped.
    if (agent !== undefined && !entries.some((entry) => entry.agent === agent))
      await knownAgent(client, agent, client.agents.get)
    return { entries, why: null }
  } catch (error) {
    const isAway = error instanceof UnreachableError || (isCliError(error) && error.status === EXIT.unreachable)
    if (!isAway) throw error
    const shut = whyShut(config.dataDir)
    if (shut !== null) throw new CliError(EXIT.unreachable, shut)
    refuseUnstored(asked.agent, config)
    const path = logPath(config.dataDir)
    const lines = await logOf((query) => readLog(path, { before: null, since: null, ...query }), asked)
    const turns = [
      'string turns',
      ...(asked.agent === undefined ? [] : [asked.agent]),
      ...(asked.failed ? ['--failed'] : []),
    ]
    const rest = `turns are not in it: ${turns.join(' ')} shows them`
    return { entries: newest(lines, asked), why: `${error.message}. This is from ${path} alone; ${rest}` }
  }
}

/** Without a daemon, too, a name that nobody has may be mistyped. */
function refuseUnstored(agent: string | undefined, { dataDir, store }: Config): void {
  // A store that others share has agents of which nothing is said here.
  if (agent === undefined || agent === DEFAULT_AGENT || store.kind !== 'sqlite') return
  const ids = storedAgents(dataDir).map(({ id }) => id)
  if (ids.length > 0 && !ids.includes(agent))
    throw noSuchThing(
      `${noAgentAmong(agent, ids)} No daemon runs: string start starts it, and string agent list shows all`,
    )
}

async function follow(config: Config, asked: TimelineAsked, isJson: boolean): Promise<number> {
  const signal = untilInterrupted()
  const client = await connectPatiently(config, signal)
  if (client === null) return EXIT.ok
  if (asked.agent !== undefined) await checkAgent(client, asked.agent)
  const began = new Date().toISOString()
  const known = await newestTurns(client, asked.agent)
  const shown = await withReasons(client, await timeline(client, asked))
  const text = isJson ? (entry: TimelineEntry): string => JSON.stringify(dataOf(entry)) : shower(config, asked)
  const print = (entry: TimelineEntry): void => console.log(text(entry))
  for (const entry of shown) print(entry)
  let isAway = false
  await followTimeline({
    client,
    asked,
    shown,
    known,
    began,
    signal,
    print,
    absence: new DaemonAbsence(config.dataDir),
    onAway: (now) => {
      if (now && !isAway) process.stderr.write(`${ownName()}: ${inOwnName(WAITING)}\n`)
      isAway = now
    },
  })
  return EXIT.ok
}

function shower(config: Config, { agent }: TimelineAsked): (entry: TimelineEntry) => string {
  const look = { ...lookOf(process.stdout, config), isOfOneAgent: agent !== undefined }
  return (entry) => entryText(entry, { ...look, now: Date.now() })
}

function dataOf({ key: _key, isOpen: _isOpen, isTold: _isTold, isFailure, agent, ...entry }: TimelineEntry): object {
  return { ...entry, agent_id: agent, failed: isFailure }
}

function hint(
  entries: readonly TimelineEntry[],
  { limit }: TimelineAsked,
  { config, program }: { config: Config; program: Program },
): void {
  if (!process.stderr.isTTY) return
  const hints = [
    ...(entries.some(({ kind, isFailure }) => kind === 'turn' && isFailure)
      ? ['string turn show ID shows all of a turn']
      : []),
    ...(entries.length === limit ? [`the latest ${limit}; --limit N shows more`] : []),
  ]
  const { color } = lookOf(process.stderr, config)
  if (hints.length > 0) process.stderr.write(`${dim(asCalled(hints.join('; '), program.name), color)}\n`)
}
