import { type Data, ok, type Result, visibleLine } from '@string-os/protocol'
import type { OpenDocument } from '../../session/session.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { packageInfo } from './package-info.ts'

export const info = defineCommand({
  name: 'info',
  summary: 'Show where you are in this topic, or what an installed package is',
  params: { package: 'optional' },
  flags: {},
  body: 'none',
  details: [
    'Of an app or a tool: where it came from and when, its documents, its actions with their fields, what it may do, and which of its variables are set.',
  ],
  examples: ['/info', '/info weather'],
  run({ package: name }, context): Promise<Result> | Result {
    if (name !== undefined) return packageInfo(name, context)
    const { agent, topic, session, workspace } = context
    const lines = [
      `topic: ${topic.canonical} (${topic.type})`,
      `agent: ${agent.id}`,
      `home: ${agent.home}`,
      `cwd: ${workspace.start}`,
      ...(session.document === null ? ['uri: (no document)'] : documentLines(session.document)),
      ...(session.mode === null ? [] : [`mode: ${session.mode}`]),
      ...(session.variables.all.size === 0
        ? []
        : [`vars: ${[...session.variables.all.keys()].map((name) => `{${name}}`).join(', ')}`]),
      ...(session.history.length === 0 ? [] : [`history: ${historyLine(context)}`]),
      `since: ${session.since}`,
    ]
    return ok('Session info', lines.map(visibleLine).join('\n'), fields(context))
  },
})

function fields({ agent, topic, session, workspace }: CommandContext): Data {
  const { document, mode, variables, since } = session
  return {
    topic: topic.canonical,
    topic_type: topic.type,
    agent: agent.id,
    home: agent.home,
    cwd: workspace.start,
    document: document === null ? null : documentFields(document),
    mode,
    variables: [...variables.all.keys()],
    since,
  }
}

function documentFields({ address, uri, title, facts }: OpenDocument): Data {
  const { menus, actions, blocks, warnings, page, pages } = facts
  return { uri, title, block: address.block, page, pages, menus, actions, blocks, warnings }
}

function documentLines({ address, uri, title, facts }: OpenDocument): string[] {
  const { menus, actions, blocks, warnings, page, pages } = facts
  return [
    `uri: ${uri}`,
    ...(title === null ? [] : [`title: ${title}`]),
    ...(address.block === null ? [] : [`block: #${address.block}`]),
    ...(pages > 1 ? [`page: ${page} of ${pages}`] : []),
    ...(menus.length === 0 ? [] : [`menus: ${menus.join(', ')}`]),
    ...(actions.length === 0 ? [] : [`actions: ${actions.join(', ')}`]),
    ...(blocks.length === 0 ? [] : [`blocks: ${blocks.map((id) => `#${id}`).join(', ')}`]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
}

function historyLine({ session, reader }: CommandContext): string {
  const shown = session.history.slice(-5).map((address) => reader.show(address))
  return `${session.history.length > 5 ? '… → ' : ''}${shown.join(' → ')}`
}
