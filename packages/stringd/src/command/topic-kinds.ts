import { type Data, isHub, notACommand, ok, type Result, type TopicType } from '@string-os/protocol'
import { wholeSource } from '../packages/state/package-record.ts'
import { goneLink } from '../packages/use/gone-link.ts'
import type { Command } from './core/command.ts'
import type { CommandContext } from './core/context.ts'
import { enterApp } from './read/app-entry.ts'
import { type OpenFlags, openAddress } from './read/open-address.ts'
import { BASH_COMMANDS } from './topic/bash-commands.ts'
import { bashInput } from './topic/bash-input.ts'

/** What is particular to the topics of one kind. */
export interface TopicKind {
  /** What becomes of text that is no command; elsewhere it is refused. `meant`: the command that it would be elsewhere, as it is typed here. */
  readonly text?: (text: string, context: CommandContext, meant: string | null) => Promise<Result> | Result
  /** What happens before each command. */
  readonly enter?: (context: CommandContext) => Promise<void>
  /** What `/open` means with the topic's own name, from whatever topic. */
  readonly openSelf?: (flags: OpenFlags, context: CommandContext) => Promise<Result> | Result
  /** Commands that only it has. */
  readonly commands?: readonly Command[]
  /** How what runs in it is ended from inside. */
  readonly stopHint?: string
  /** `openSelf` is meant without any target, too. */
  readonly opensBare?: true
}

/** All kinds; how they are written is in the protocol. */
export const TOPIC_KINDS: Readonly<Record<TopicType, TopicKind>> = {
  tab: {},
  hub: { openSelf: openHub, opensBare: true },
  app: { enter: enterApp, openSelf: openApp, opensBare: true },
  bash: { text: bashInput, openSelf: openShell, commands: BASH_COMMANDS, stopHint: '//interrupt ends it' },
}

async function openHub(flags: OpenFlags, context: CommandContext): Promise<Result> {
  const { canonical } = context.topic
  if (!isHub(canonical)) return notACommand()
  const shown = await openAddress({ ok: true, kind: 'hub', hub: canonical, block: null }, canonical, flags, context)
  if (!shown.ok || (canonical !== 'app' && canonical !== 'tool')) return shown
  return { ...shown, data: { packages: installedRows(canonical, context) } }
}

/** What is installed, for programs; tools that are mere files are on the page alone. */
function installedRows(wanted: 'app' | 'tool', { packages }: CommandContext): Data[] {
  const installed = packages.list().filter(({ record }) => record.type === wanted)
  return installed.map((each) => {
    const { record } = each
    const { local: name, type, version, linked } = record
    const missing = packages.missing(each).map((need) => need.name)
    return { name, type, version, source: wholeSource(record), linked, gone: goneLink(each) !== null, missing }
  })
}

/** The document that the topic's app begins with. */
async function openApp(flags: OpenFlags, context: CommandContext): Promise<Result> {
  const address = context.reader.entry()
  if (address.ok) return openAddress(address, context.topic.canonical, flags, context)
  // Who mistyped the name of an app does not find a topic of that name afterwards.
  if (context.packages.own !== null) return address
  context.session.closed = true
  return address
}

/** A bash topic has no document: how its shell stands takes its place. */
function openShell(_flags: OpenFlags, { shell, topic }: CommandContext): Result {
  const info = shell.info()
  const page =
    info === null
      ? 'No shell runs here yet. Send a command to start one; //help tells more.'
      : `cwd: ${info.cwd}\nrunning: ${info.running?.command ?? '(nothing)'}`
  return ok(`Opened ${topic.canonical}`, page)
}
