import { constants } from 'node:os'
import type { ExecResult, StringClient } from '@string-os/client'
import { COMMAND_MARKS, parseTopic, type Topic, visibleText } from '@string-os/protocol'
import { type Config, knowsLinks } from '../../config.ts'
import { VERSION } from '../../version.ts'
import { warn } from '../bridge/turn-output.ts'
import { asCliError, connect } from '../daemon/connect.ts'
import { EXIT } from '../exit.ts'
import { explainedResult } from '../run/explained-result.ts'
import { explainedText } from '../run/explained-text.ts'
import { dim, red } from '../terminal/color.ts'
import { openHistory } from '../terminal/editor/history.ts'
import { PromptReader } from '../terminal/editor/prompt-reader.ts'
import { followShell } from './follow-shell.ts'
import { promptOf, type TopicView } from './prompt.ts'
import { runInTopic } from './run-in-topic.ts'
import { bodyOf, shownOutput, shownResult, withoutNote } from './show-result.ts'
import { ownCommand } from './topic-commands.ts'
import { type TopicCompleter, topicCompleter } from './topic-completer.ts'

interface Talk {
  readonly client: StringClient
  readonly reader: PromptReader
  readonly completer: TopicCompleter
  readonly cwd: string
  readonly color: boolean
  /** What is taller than the window is shown from its top on. */
  readonly pages: boolean
  readonly verbs: readonly string[]
  view: TopicView
}

interface TopicManner {
  readonly cwd: string
  readonly pages: boolean
  readonly verbs: readonly string[]
}

/** `string TOPIC` at a terminal: command after command, until the person leaves. */
export async function runTopic(topic: Topic, manner: TopicManner, config: Config): Promise<number> {
  try {
    return await talk(topic, manner, config)
  } catch (error) {
    // Told by name, because this file has its own copy of the classes.
    throw asCliError(error)
  }
}

async function talk(topic: Topic, { cwd, pages, verbs }: TopicManner, config: Config): Promise<number> {
  const { color, dataDir } = config
  const client = await connect(config)
  await client.ready()
  const completer = topicCompleter(client, cwd)
  const [view, history] = await Promise.all([
    viewOf(client, topic),
    openHistory(dataDir, 'topic-history', warn),
    completer.enter(topic),
  ])
  let exitCode: number = EXIT.ok
  const reader: PromptReader = new PromptReader({
    history,
    complete: completer.complete,
    unfinished: completer.unfinished,
    farewell: [{ text: 'Ctrl-C again leaves; so do Ctrl-D and /quit', styles: ['dim'] }],
    idleInterrupt: () => (at.view.shell?.running === true ? '//interrupt' : null),
    onGone: () => process.exit(128 + constants.signals.SIGHUP),
    paint: { color, links: knowsLinks() },
  })
  const at: Talk = { client, reader, completer, cwd, color, pages, verbs, view }
  const unlisten = onSignals((status) => {
    exitCode = status
    reader.close()
  })
  console.log(
    dim(`String ${VERSION}: ${COMMAND_MARKS[topic.type]}help lists the commands, Tab completes, Ctrl-D leaves`, color),
  )
  while (await step(at));
  reader.close()
  unlisten()
  return exitCode
}

/** One text; false when the person left. */
async function step(at: Talk): Promise<boolean> {
  const follower = at.view.shell?.running === true ? followShell(at.client, at.view.topic, told(at)) : null
  const text = await at.reader.next(promptOf(at.view, at.cwd))
  await follower?.stop()
  if (text === null) return false
  if (text === '') return true
  const own = ownCommand(text, at.view.topic)
  if (own === null) await run(at, text)
  else if (own.kind === 'quit') return false
  else if (own.kind === 'go') await goTo(at, own.topic)
  else console.log(red(own.said, at.color))
  return true
}

/** What a program in a shell printed in the meantime stands above the prompt. */
function told(at: Talk): (result: ExecResult) => void {
  return (result) => {
    const { content, data } = result
    const output = data?.running === true ? withoutNote(bodyOf(content)) : bodyOf(content)
    if (output !== '') at.reader.print(visibleText(output))
    if (data?.running === true || at.view.shell === null) return
    const cwd = typeof data?.cwd === 'string' ? data.cwd : at.view.shell.cwd
    at.view = { ...at.view, shell: { cwd, running: false } }
    at.reader.changePrompt(promptOf(at.view, at.cwd))
  }
}

async function run(at: Talk, text: string): Promise<void> {
  const { client, reader, cwd, color, view } = at
  const running = runInTopic(client, view.topic, text, cwd)
  reader.whileBusy(running.interrupt)
  try {
    const result = explainedText(explainedResult(await running.result), text, at.verbs)
    const isShell = parseTopic(result.topic)?.type === 'bash' && typeof result.data?.cwd === 'string'
    const shown = isShell
      ? shownOutput(result, view.shell?.running === true, color)
      : shownResult(result, { color, links: knowsLinks(), width: process.stdout.columns || 80 })
    if (shown !== '' && !isShell && at.pages) await reader.page(shown)
    else if (shown !== '') console.log(shown)
    await follow(at, result)
  } catch (error) {
    const said = asCliError(error)
    console.log(red(said instanceof Error ? said.message : String(said), color))
  } finally {
    reader.whileBusy(() => undefined)
  }
}

/** A command may have led into another topic, and shows what is open there. */
async function follow(at: Talk, { topic: name, meta, data, ok }: ExecResult): Promise<void> {
  const before = at.view
  const topic = parseTopic(name) ?? before.topic
  const isElsewhere = topic.canonical !== before.topic.canonical
  if (isElsewhere && !ok) return
  const cwd = typeof data?.cwd === 'string' ? data.cwd : null
  const known = isElsewhere ? null : before.shell
  const shell = topic.type !== 'bash' ? null : cwd === null ? known : { cwd, running: data?.running === true }
  at.view = { topic, document: meta, shell }
  if (isElsewhere) await at.completer.enter(topic)
}

async function goTo(at: Talk, topic: Topic): Promise<void> {
  at.view = await viewOf(at.client, topic)
  await at.completer.enter(topic)
}

async function viewOf(client: StringClient, topic: Topic): Promise<TopicView> {
  const sessions = await client.sessions.list(client.agent)
  const known = sessions.find((session) => session.topic === topic.canonical)
  return { topic, document: known?.doc ?? null, shell: null }
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const

function onSignals(end: (status: number) => void): () => void {
  const listeners = SIGNALS.map((name) => ({ name, listener: () => end(128 + constants.signals[name]) }))
  for (const { name, listener } of listeners) process.on(name, listener)
  return () => {
    for (const { name, listener } of listeners) process.off(name, listener)
  }
}
