import {
  count,
  countUpTo,
  type Hub,
  LIMITS,
  listNames,
  quoted,
  type StoreView,
  shownStore,
  visibleLine,
} from '@string-os/protocol'
import type { HubData, HubDelivery, HubPackage, HubSession, HubTurn } from './hub-data.ts'

/** The page of a hub: what exists, and the commands that manage it. */
export function hubPage(hub: Hub, data: HubData): string {
  return PAGES[hub](data)
}

const PAGES: Readonly<Record<Hub, (data: HubData) => string>> = { app, bash, tool, event, system, agent }

function app({ sessions, apps, foreign }: HubData): string {
  const open = sessions.filter(({ topic }) => topic.type === 'app')
  const rows = apps.map((each) => packageRow(`app:${each.name}`, each))
  const lead = [...(rows.length === 0 ? ['No apps are installed.'] : rows), ...foreignRow(foreign)]
  return page('Apps', lead, 'Open app sessions', open.map(sessionRow), [
    '`/open app:NAME` enters an app; `app:NAME:CONFIG` is another session of it, with variables of its own',
    '`/act` in its topic lists what it can do, `/act.NAME` does it',
    '`/install --dry-run SOURCE` says what a file, folder or URL would run, reach and read',
    '`/install SOURCE` installs it, `/install --as NAME SOURCE` under another name, `/uninstall NAME` removes it',
    '`/set $NAME = "value"` in its topic stores a variable that it needs',
    '`/topics app` lists app sessions',
  ])
}

function bash({ shells }: HubData): string {
  const rows = shells.map(({ topic, cwd, running }) => {
    const what =
      running === null ? 'at the prompt' : `runs ${visibleLine(running.command)} (${duration(running.seconds * 1000)})`
    return `- ${topic} · ${visibleLine(cwd)} · ${what}`
  })
  return page('Shells', [], 'Live shells', rows, [
    'Send a line to a topic `bash:NAME` to start a shell there, or to give input to what runs',
    '`//interrupt`, `//key ctrl-d`, `//wait 300`, `//close` in its topic; `//help` lists all',
    '`/exec COMMAND` runs one command without a shell of its own',
  ])
}

function tool({ tools }: HubData): string {
  const rows = tools.map((each) => packageRow(`/tool:${each.name}`, each))
  return page(
    'Tools',
    rows.length === 0 ? ['No tools are installed.'] : rows,
    null,
    [],
    [
      '`/tool:NAME` runs a tool here, without leaving your document; `/tool:NAME.ACTION` one of its actions',
      '`/tool:NAME --help` shows what it takes',
      '`/install --tool SOURCE` installs one, `/uninstall NAME` removes it',
      'Markdown files in `./tools/` and `~/.string/tools/` are tools too, with the powers of files',
    ],
  )
}

function event({ inbox }: HubData): string {
  const rows = inbox.newest.map(({ id, receivedAt, source, text }) => {
    const preview = quoted(text, LIMITS.eventPreviewChars)
    return `- ${id} ${receivedAt} ${visibleLine(source)}: ${preview}`
  })
  return page(
    'Events',
    [
      `${countUpTo(inbox.pending, LIMITS.countedEvents)} pending, ${countUpTo(inbox.acked, LIMITS.countedEvents)} acked`,
    ],
    'Pending',
    rows,
    [
      '`/events.read ID` shows one whole',
      '`/events.ack ID…` marks those that are dealt with',
      '`/events --all` lists acknowledged ones too, `/events.clear` removes those',
      '`string webhook show` in a terminal tells where programs post events',
    ],
  )
}

function system({ system: facts, errors, deliveries }: HubData): string {
  const lines = [
    `- version: ${facts.version}`,
    `- up since: ${facts.startedAt.toISOString()} (${duration(facts.now.getTime() - facts.startedAt.getTime())})`,
    `- address: 127.0.0.1:${facts.port} (pid ${facts.pid})`,
    `- data folder: ${visibleLine(facts.dataDir)}`,
    `- store: ${shownStore(inFolder(facts))}`,
    `- agents: ${facts.agents}, topics: ${facts.topics}`,
  ]
  const rows = errors
    .slice(0, LIMITS.systemRows)
    .map(({ time, topic, command, code }) => `- ${time.slice(0, 19)}Z ${topic} ${visibleLine(command)}: ${code}`)
  const delivered = deliveries.slice(0, LIMITS.systemRows).map(deliveryRow)
  return [
    page('System', lines, 'Your recent errors', rows, ['`string status|restart|logs` in a terminal']),
    '',
    '## Deliveries',
    '',
    ...(delivered.length === 0 ? ['(none)'] : delivered),
    '',
    '## Limits',
    '',
    ...limitLines(facts.execMs),
    '',
  ].join('\n')
}

/** A file in the folder that stands above it needs no path. */
function inFolder({ store, dataDir }: HubData['system']): StoreView {
  return {
    ...store,
    where: store.where.startsWith(`${dataDir}/`) ? store.where.slice(dataDir.length + 1) : store.where,
  }
}

/** The few that one meets; all of them have their names. */
function limitLines(execMs: number): string[] {
  const kib = (bytes: number): string => `${bytes / 1024} KiB`
  const seconds = (ms: number): string => `${ms / 1000} s`
  return [
    `- an answer: ${kib(LIMITS.answerBytes)}, over MCP ${kib(LIMITS.mcpAnswerBytes)}; the rest is in a file that it names`,
    `- a document: ${LIMITS.documentBytes / 1024 / 1024} MiB; an event: ${kib(LIMITS.webhookBodyBytes)}`,
    `- \`/exec\`: ${seconds(execMs)}, over MCP at most ${seconds(LIMITS.mcpExecMs)}; \`bash:NAME\` has no limit`,
    `- a topic: ${LIMITS.queueWaiting} commands wait, at most ${seconds(LIMITS.queueWaitMs)} each`,
    `- ${LIMITS.topics} topics, ${LIMITS.shells} shells`,
    '- `/help limits` lists all',
  ]
}

function agent({ agent: facts, sessions, hasWebhook, turns }: HubData): string {
  const lines = [
    `- id: ${facts.id}`,
    `- home: ${visibleLine(facts.home)}`,
    `- allowed paths: ${facts.allowedPaths.length === 0 ? '(none)' : visibleLine(facts.allowedPaths.join(', '))}`,
    `- profile: ${facts.profile === null ? '(none)' : visibleLine(facts.profile)}`,
    `- webhook: ${hasWebhook ? 'on' : 'off'} (\`string webhook show\` in a terminal shows or makes it)`,
    `- since: ${facts.createdAt}`,
  ]
  const about = page(`Agent ${facts.id}`, lines, 'Sessions', sessions.map(sessionRow), [
    '`string agent allow ID DIR` in a terminal opens another folder',
    '`/topics` lists sessions, `/close` ends one',
  ])
  return turns.length === 0 ? about : [about, '', '## Recent turns', '', ...turns.map(turnRow)].join('\n')
}

function turnRow({ turn_id, created_at, session, state, code, message }: HubTurn): string {
  const how = code === null ? state : `${state}, ${code}`
  return `- ${turn_id} ${created_at.slice(0, 19)}Z ${visibleLine(session)} (${how}): ${quoted(message, LIMITS.eventPreviewChars)}`
}

function page(
  title: string,
  facts: readonly string[],
  listTitle: string | null,
  rows: readonly string[],
  commands: readonly string[],
): string {
  const list = listTitle === null ? [] : [`## ${listTitle}`, '', ...(rows.length === 0 ? ['(none)'] : rows), '']
  const lead = facts.length === 0 ? [] : [...facts, '']
  return [`# ${title}`, '', ...lead, ...list, '## Commands', '', ...commands.map((command) => `- ${command}`)].join(
    '\n',
  )
}

/** A home may have come from elsewhere: what it brings along is nothing that anybody installed. */
function foreignRow(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const lie = `In ~/.string/packages, and not installed here: ${visibleLine(listNames(names))}`
  return ['', `${lie}. To use one, move it out of ~/.string and /install it.`]
}

function packageRow(address: string, { about, source, missing }: HubPackage): string {
  const needs = missing.length === 0 ? '' : ` · needs ${missing.join(', ')}`
  return `- ${address}${about === null ? '' : ` · ${visibleLine(about)}`} · ${visibleLine(source)}${needs}`
}

function deliveryRow({ createdAt, channel, target, state, reason, nextAt }: HubDelivery): string {
  const why = reason === null ? '' : `, ${visibleLine(reason)}`
  const next = nextAt === null ? '' : `, next try ${nextAt}`
  return `- ${createdAt} ${channel}:${visibleLine(target)}: ${state}${why}${next}`
}

function sessionRow({ topic, isRunning, uri }: HubSession): string {
  return `- ${topic.canonical} (${topic.type})${uri === null ? '' : ` · ${uri}`}${isRunning ? ' · running' : ''}`
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return count(Math.floor(ms / 1000), 'second')
  if (minutes < 60) return count(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day')
}
