import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure, fail, LIMITS, listNames, problem } from '@string-os/protocol'
import { homeSetting, NOT_FOLLOWED } from '../store/home-setting.ts'
import { AGENT_CHANNEL, type Channel } from './channel.ts'
import { type Environment, type MisreadChannel, type ReadChannels, readChannels } from './read-channels.ts'

export interface ChannelFiles {
  /** A channel as it is configured for an agent now. */
  readonly find: (home: string, name: string) => { readonly ok: true; readonly channel: Channel } | Failure
  /** All that the file of a home configures, or without one that of the data folder, and every mistake in it. Nothing is sent. */
  readonly check: (home: string | null) => CheckedChannels
}

interface CheckedChannels {
  readonly names: readonly string[]
  readonly problems: readonly { readonly path: string; readonly text: string }[]
}

/** Reads `channels.yaml` of the agent, then that of the data folder: the first that names a channel decides about it. */
export function channelFiles(dataDir: string, environment: () => Environment): ChannelFiles {
  return {
    find: (home, name) => {
      const own = homeSetting(home, 'channels.yaml')
      const known = new Set(['agent', 'string'])
      for (const path of [own.path, join(dataDir, 'channels.yaml')]) {
        const file = path === own.path && own.state === 'linked' ? LINKED : readFile(path, environment)
        if (!file.ok) return unusable(path, file)
        const channel = file.channels.get(name)
        if (channel !== undefined) return channel.ok ? channel : unusable(path, channel)
        for (const each of file.channels.keys()) known.add(each)
      }
      return name === 'agent' ? { ok: true, channel: AGENT_CHANNEL } : unknown(name, [...known])
    },
    check: (home) => {
      const { path, state } =
        home === null ? { path: join(dataDir, 'channels.yaml'), state: 'there' } : homeSetting(home, 'channels.yaml')
      const file = state === 'linked' ? LINKED : readFile(path, environment)
      const misread = file.ok ? [...file.channels.values()] : [file]
      return {
        names: file.ok ? [...file.channels.keys()] : [],
        problems: misread.flatMap((each) => (each.ok ? [] : [{ path, text: placeOf(path, each) }])),
      }
    },
  }
}

const LINKED = unread(NOT_FOLLOWED)

function readFile(path: string, environment: () => Environment): ReadChannels {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return { ok: true, channels: new Map() }
    if (!stat.isFile()) return unread('It is not a file')
    if (stat.size > LIMITS.channelsFileBytes) return unread(`It is larger than ${LIMITS.channelsFileBytes} bytes`)
    return readChannels(readFileSync(path, 'utf8'), environment())
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return unread(`It cannot be read: ${code ?? message}`)
  }
}

/** Nothing in the file was looked at. */
function unread(reason: string): MisreadChannel {
  return { ...problem(reason), line: 1, column: 1 }
}

function unusable(path: string, misread: MisreadChannel): Failure {
  return fail('LOAD_ERROR', placeOf(path, misread), 'A person has to mend this file')
}

function placeOf(path: string, { line, column, problem: reason }: MisreadChannel): string {
  return `${path}, line ${line}, column ${column}: ${reason}`
}

function unknown(name: string, known: readonly string[]): Failure {
  return fail(
    'CHANNEL_UNKNOWN',
    `There is no channel ${name}`,
    `There are: ${listNames(known.toSorted())}`,
    'A person adds one to .string/channels.yaml in the home of this agent; string agent show ID tells where that is',
  )
}
