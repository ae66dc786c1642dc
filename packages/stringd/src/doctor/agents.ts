import { stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { count, LIMITS } from '@string-os/protocol'
import type { ChannelFiles } from '../channels/channel-files.ts'
import type { Agent } from '../store/agents.ts'
import type { CheckProfile } from '../turns/check-profile.ts'
import { profilePath } from '../turns/profile-of.ts'
import { type Check, mayUse, type Seen, seenFail, seenOk, seenWarn, shutFile } from './check.ts'
import { shellWord } from './shell-word.ts'

export interface AgentParts {
  readonly agents: () => readonly Agent[] | Promise<readonly Agent[]>
  readonly checkProfile: CheckProfile
  readonly channels: Pick<ChannelFiles, 'check'>
}

/** What agents need: a home, a profile that can be run, channels that can be read. Nothing is sent. */
export function agentChecks(parts: AgentParts): readonly Check[] {
  return [
    { name: 'homes', look: async () => told(await each(parts, home), 'home', 'no agents yet') },
    {
      name: 'profiles',
      look: async () => told(await each(parts, profile), 'profile', 'no agent has one'),
    },
    { name: 'channels', look: async () => channelsOf(parts) },
  ]
}

type Look = (agent: Agent, parts: AgentParts) => Promise<Seen | null>

async function each(parts: AgentParts, look: Look): Promise<readonly Seen[]> {
  const found: Seen[] = []
  for (const agent of (await parts.agents()).slice(0, LIMITS.doctorAgents)) {
    const seen = await look(agent, parts)
    if (seen !== null) found.push(seen)
  }
  return found
}

/** All that is wrong, else how many are well. */
function told(found: readonly Seen[], noun: string, none: string): readonly Seen[] {
  const wrong = found.filter(({ state }) => state !== 'ok')
  if (wrong.length === 0) return [seenOk(found.length === 0 ? none : `${count(found.length, noun)}, nothing amiss`)]
  const left = wrong.length - LIMITS.doctorFindings
  const more = left > 0 ? [seenWarn(`${left} more like these`, 'string doctor again, when these are mended')] : []
  return [...wrong.slice(0, LIMITS.doctorFindings), ...more]
}

async function home({ id, home: path }: Agent): Promise<Seen> {
  const there = await stat(path).catch(() => null)
  if (there === null)
    return seenWarn(
      `${id}: its home ${path} is gone; its next turn makes it anew, empty`,
      `put it back before that: mount it, or restore it; string agent add ${id} --home FOLDER gives it another`,
    )
  if (!there.isDirectory())
    return seenFail(`${id}: its home ${path} is no folder`, `string agent add ${id} --home FOLDER`)
  return (await mayUse(path)) ? seenOk(path) : shutFile(path)
}

async function profile(agent: Agent, { checkProfile }: AgentParts): Promise<Seen | null> {
  const path = profilePath(agent)
  if (path === null) return null
  const check = await checkProfile(path, agent.home)
  const isGone = (await stat(path).catch(() => null)) === null
  const mend = isGone
    ? `put the file back, or string agent add ${agent.id} --profile FILE --yes`
    : `mend it, then string bridge check ${shellWord(path)}`
  if (!check.ok) return seenFail(`${agent.id}: ${firstLine(check.error)}`, mend)
  const missing = check.problem ?? check.warnings[0]
  if (missing === undefined) return seenOk(path)
  return check.problem === null
    ? seenWarn(`${agent.id}: ${firstLine(missing)}`, mend)
    : seenFail(`${agent.id}: ${firstLine(missing)}`, mend)
}

/** A file at a time: reading is not for nothing, and others want to be answered in between. */
async function channelsOf({ agents, channels }: AgentParts): Promise<readonly Seen[]> {
  const homes = new Set((await agents()).slice(0, LIMITS.doctorAgents).map((agent) => agent.home))
  const names = new Set<string>()
  const wrong: Seen[] = []
  for (const home of [null, ...homes]) {
    // What is wrong with a home is told of that.
    if (home !== null && !(await mayUse(home)) && (await stat(home).catch(() => null)) !== null) continue
    const found = channels.check(home)
    for (const name of found.names) names.add(name)
    for (const { path, text } of found.problems)
      wrong.push(seenFail(text, `mend ${shellWord(path)}; docs/channels.md shows how`))
    await setImmediate()
  }
  if (wrong.length > 0) return wrong.slice(0, LIMITS.doctorFindings)
  return [seenOk(names.size === 0 ? 'no others configured: messages go between agents alone' : [...names].join(', '))]
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}
