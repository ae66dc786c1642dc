import { constants } from 'node:os'
import type { ExecResult } from '@string-os/client'
import { COMMAND_MARKS, parseTopic, type Topic } from '@string-os/protocol'
import { type Config, knowsLinks, ownEditor, ownPagers } from '../../config.ts'
import { VERSION } from '../../version.ts'
import { warn } from '../bridge/turn-output.ts'
import { asCliError, connect } from '../daemon/connect.ts'
import { EXIT } from '../exit.ts'
import { explainedText, homeNote, meantInShell } from '../run/explained-text.ts'
import { homeOf } from '../run/home-of.ts'
import { dim, red } from '../terminal/color.ts'
import { openHistory } from '../terminal/editor/history.ts'
import type { Unfinished } from '../terminal/editor/line-editor.ts'
import { type BusyEnd, PromptReader } from '../terminal/editor/prompt-reader.ts'
import { prose } from '../terminal/prose.ts'
import type { Line } from '../terminal/styled-text.ts'
import { awaitShell } from './await-shell.ts'
import { followShell, type ShellFollower } from './follow-shell.ts'
import { greetApp } from './greet-app.ts'
import { fitsTopic, isInVain } from './line-kind.ts'
import { opensOutside } from './open-outside.ts'
import { isOpenScript } from './open-script.ts'
import { refuseWithin } from './own-shell.ts'
import { isPathHere } from './path-here.ts'
import { pressedKeys } from './pressed-keys.ts'
import { promptOf, type TopicView } from './prompt.ts'
import { runInTopic } from './run-in-topic.ts'
import { isShellAnswer, shellAnswer } from './shell-answer.ts'
import { expandedLine, historyCount, historyText } from './shell-history.ts'
import { daemonOf, sayCutOff, sayFreshShell, standingOf, startReading, viewOf, whatChanged } from './shell-standing.ts'
import {
  BARE_ENTER,
  END_INPUT,
  ENTER_KEY,
  endProgram,
  hidesTyped,
  INTERRUPT,
  LOOK,
  leaveWith,
  SEND,
  STOP,
  saySkipped,
  showShell,
  showSoFar,
  told,
} from './shell-talk.ts'
import { shownResult } from './show-result.ts'
import type { Talk } from './talk.ts'
import { ownCommand, ownNames } from './topic-commands.ts'
import { topicCompleter } from './topic-completer.ts'
import { fitShell, HAND_OVER, keepDrawn, unreadFrom, VISIT, visitProgram } from './visits.ts'
import { openFolder, whatElseIsOpen } from './what-is-open.ts'
import { sayCommand, sayLastPrinted, sayWhatRuns, sayWhatRunsNow, sayWhatStays } from './what-runs.ts'
import { whatWasLost } from './what-was-lost.ts'

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
  const { color, dataDir, hints } = config
  refuseWithin(topic, config.agent)
  const paint = { color, links: knowsLinks() }
  // Whoever stops a daemon means it, whatever is looked at here: the next line that is typed starts one.
  const starting = { isAllowed: true }
  const client = await connect(config, {
    onOther: () => {
      at.isReplaced = true
    },
    // There is no talk before the first look.
    mayStart: () => starting.isAllowed,
  })
  await client.ready()
  const completer = topicCompleter(client, () => ({ cwd: folderOf(at), isInput: at.view.shell?.running != null }))
  const [view, daemon, home, history] = await Promise.all([
    viewOf(client, topic),
    daemonOf(client),
    homeOf(client),
    openHistory(dataDir, 'topic-history', warn),
    completer.enter(topic),
  ])
  let exitCode: number = EXIT.ok
  const reader: PromptReader = new PromptReader({
    history,
    complete: completer.complete,
    unfinished: (text) => expanded(at, text) ?? completer.unfinished(text) ?? openScript(at.view, text),
    several: (text) => (at.view.shell?.running == null ? at.completer.several(text) : null),
    isCommand: (line) => isKnownCommand(at, line),
    // At the prompt of a shell it is pressed by habit.
    farewell: () => (at.view.topic.type === 'bash' ? null : FAREWELL),
    // What is typed to a program is that program's alone.
    keeps: () => at.view.shell?.running == null,
    program: () => programOf(at.view),
    hides: () => hidesTyped(at),
    suggests: (line) => suggests(at, line),
    belongs: (line) => fitsTopic(line, { type: at.view.topic.type, commands: [] }),
    // What a program reads is seldom the name of a file.
    foretells: () => at.view.shell?.running == null,
    idleInterrupt: () => (at.view.shell?.running == null ? null : INTERRUPT),
    idleLeave: () => (endsInput(at) ? END_INPUT : null),
    idleSend: (text) => (readsLines(at, text) ? SEND : null),
    idleHandOver: () => (at.view.shell?.running == null ? null : HAND_OVER),
    busyHandOver: () => handOverSoon(at),
    idleGuest: () => (at.isScreenDue ? VISIT : null),
    // Programs that edit lines themselves take Tab for a question.
    indent: () => (at.view.shell?.running == null ? null : at.isRaw ? '    ' : '\t'),
    idleStop: () => (at.view.shell?.running == null ? null : STOP),
    busyDrops: () => at.view.topic.type === 'bash',
    busyLeave: () => at.view.topic.type === 'bash',
    busyStop: () => stopSoon(at),
    editor: ownEditor(),
    onGone: () => process.exit(128 + constants.signals.SIGHUP),
    paint,
  })
  const at: Talk = {
    client,
    reader,
    completer,
    cwd,
    shellStart: cwd,
    home,
    paint,
    pages,
    pagers: ownPagers(),
    verbs,
    dataDir,
    view,
    seen: view.shell?.place ?? '',
    seenIn: new Map(),
    line: null,
    drawn: null,
    left: [],
    isGivenLines: false,
    isKeptFrom: false,
    isScreenDue: false,
    isRaw: false,
    toldOfKeys: new Set(hints ? [] : ['editor', 'unsure']),
    daemon,
    isReplaced: false,
    starting,
    interrupts: 0,
    due: null,
    isUnanswered: false,
    isSecretAsked: false,
    isInputEnded: false,
    stubborn: null,
    hints,
    isToldOfInput: !hints,
    isToldOfHome: !hints,
    ended: null,
  }
  const unlisten = onSignals((status) => {
    exitCode = status
    reader.close()
  })
  const greeting = `String ${VERSION}: ${COMMAND_MARKS[topic.type]}help lists the commands, Tab completes, Ctrl-D leaves`
  if (hints) reader.print(dim(prose(greeting, process.stdout), color))
  await sayWhatRuns(at)
  await greetApp(at, (command) => run(at, command))
  while (await step(at));
  sayWhatStays(at)
  reader.close()
  unlisten()
  return at.ended ?? exitCode
}

/** Which program gets what is typed; null: none runs. */
function programOf({ shell }: TopicView): string | null {
  return shell?.running == null ? null : `${shell.id} ${shell.running}`
}

/** Ctrl-D is for the program that reads what is typed; who has pressed it or Ctrl-C in vain leaves with the next one. */
function endsInput({ view: { shell }, isInputEnded, stubborn }: Talk): boolean {
  return shell?.running != null && !shell.hasScreen && !isInputEnded && stubborn === null
}

/** What edits lines by itself is sent whole ones: a part of one would stand in its line, and not here. */
function readsLines({ view: { shell }, isRaw }: Talk, text: string): boolean {
  return shell?.running != null && !shell.hasScreen && (!isRaw || text.endsWith('\n'))
}

/** What has just been typed into a shell is stopped as soon as that can be told. */
function stopSoon(at: Talk): boolean {
  const isShell = at.view.topic.type === 'bash'
  if (isShell) at.due = STOP
  return isShell
}

/** The same of the keys; what is to be interrupted or stopped is that first. */
function handOverSoon(at: Talk): void {
  if (at.view.topic.type === 'bash') at.due ??= HAND_OVER
}

/** What was typed elsewhere, or to nobody's use, is in the history, and not suggested; a program has a history of its own. */
function suggests(at: Talk, line: string): boolean {
  const { topic, shell, document } = at.view
  const { completer } = at
  if (shell?.running != null) return true
  const known = completer.commands()
  const commands = known.length === 0 ? known : [...known, ...ownNames(topic)]
  if (!fitsTopic(line, { type: topic.type, commands }) || !completer.isHere(line)) return false
  return isPathHere(line, { starts: [at.cwd, ...openFolder(document)], home: at.home })
}

function isKnownCommand({ view: { topic }, completer }: Talk, line: string): boolean {
  const [word = ''] = line.split(/\s/, 1)
  return [...completer.commands(), ...ownNames(topic)].includes(word)
}

/** A line is typed to a shell, and to no program in it. */
function isForShell({ topic, shell }: TopicView, text: string): boolean {
  return topic.type === 'bash' && shell?.running == null && !text.startsWith('//')
}

/** What `!!` and `!$` stand for is seen before it runs. */
function expanded({ view, reader }: Talk, typed: string): Unfinished | null {
  const text = isForShell(view, typed) ? expandedLine(typed, reader.typedBefore) : null
  return text === null ? null : { text, isBody: false }
}

/** A script at the prompt of a shell goes on as long as bash would read on; what is typed to a program never does. */
function openScript(view: TopicView, text: string): Unfinished | null {
  if (!isForShell(view, text) || !isOpenScript(text)) return null
  return { text: `${text}\n`, isBody: false }
}

/** One text; false when the person left. */
async function step(at: Talk): Promise<boolean> {
  const isRunning = at.view.shell?.running != null
  const follower = shellFollower(at)
  at.completer.forget()
  const due = isRunning ? at.due : null
  // Before anything is read: a key right behind Enter is for what that begins.
  at.due = null
  // Pressed before it was said that the next one ends it.
  if (due === INTERRUPT && at.stubborn === 'perhaps') at.stubborn = null
  const text = due ?? (await at.reader.next(promptOf(at.view, at)))
  const shown = at.view.shell
  await follower?.stop()
  at.isScreenDue = false
  if (text === null) return false
  if (text.startsWith(HAND_OVER)) return handOver(at, text)
  keepDrawn(at)
  // It was typed for what has been cut off since.
  if (shown !== null && at.view.shell === null) {
    giveBack(at, text)
    return true
  }
  if (text.startsWith(SEND)) return send(at, text.slice(SEND.length))
  // What ran when the prompt was shown first may have ended since.
  const meant = text === '' && at.view.shell?.running != null ? (at.view.shell.hasScreen ? LOOK : ENTER_KEY) : text
  if (meant === '') return lookAround(at)
  return obey(at, meant)
}

/** What happens in the shell of the topic is told, also that there is one now; null where no shell can be. */
function shellFollower(at: Talk): ShellFollower | null {
  const { client, view, paint, reader } = at
  if (view.topic.type !== 'bash') return null
  if (view.shell === null)
    return awaitShell(client, view.topic, {
      isThere: async () => (await viewOf(client, view.topic)).shell !== null,
      tell: () => reader.enterFor(''),
    })
  return followShell(client, view.topic, {
    seen: () => unreadFrom(at),
    styles: paint.color,
    tell: told(at),
    // Of a shell that has gone while nothing ran, the next line tells.
    lose: async () => (at.view.shell?.running == null ? undefined : sayCutOff(at)),
  })
}

/** What runs gets the keys; where it has ended just now, what was typed to it is given back. */
async function handOver(at: Talk, text: string): Promise<true> {
  const { running = null, hasScreen = false } = at.view.shell ?? {}
  const typed = text === VISIT ? '' : text.slice(HAND_OVER.length)
  if (running === null) {
    if (typed !== '') giveBack(at, typed)
    return true
  }
  if (hasScreen) {
    await run(at, LOOK)
    return true
  }
  try {
    await fitShell(at)
    const end = await visitProgram(at, running, null, text === VISIT ? null : { typed })
    if (end !== null) await follow(at, end, running)
    if (end !== null && shellAnswer(end).isEnded && at.view.shell === null) leaveWith(at, end)
  } catch (error) {
    const said = asCliError(error)
    at.reader.fault(said instanceof Error ? said.message : String(said))
  }
  return true
}

/** Whole lines, and behind them the key: it sends what is left of the last one as it is, or else ends the input. */
async function send(at: Talk, text: string): Promise<true> {
  const end = text.lastIndexOf('\n')
  const rest = text.slice(end + 1)
  if (!(await isMeantFor(at, text))) return true
  if (end >= 0) await run(at, text.slice(0, end) || ENTER_KEY)
  const goesOn = at.view.shell?.running != null
  if (goesOn) await run(at, rest === '' ? END_INPUT : `//key ${pressedKeys(rest).join(' ')} ctrl-d`)
  else if (rest !== '') giveBack(at, rest)
  return true
}

/** One command, or one line of a shell; false when it was to leave. */
async function obey(at: Talk, meant: string): Promise<boolean> {
  const count = isForShell(at.view, meant) ? historyCount(meant) : null
  if (count !== null) {
    await at.reader.page(() => historyText(at.reader.typedBefore, count))
    return true
  }
  const own = ownCommand(meant, at.view.topic)
  if (own === null) {
    if (await isMeantFor(at, meant)) await run(at, meant)
  } else if (own.kind === 'quit') return false
  else if (own.kind === 'clear') at.reader.clear()
  else if (own.kind === 'go') await goTo(at, own.topic)
  else if (own.kind === 'instead') {
    if (await isMeantFor(at, own.command)) await run(at, own.command)
  } else {
    at.reader.refuse(meant)
    at.reader.print(red(own.said, at.paint.color))
  }
  return true
}

/** Enter alone, at the prompt of a shell: what somebody else has done with it is seen, and bash tells of its jobs. */
async function lookAround(at: Talk): Promise<true> {
  const { topic, shell } = at.view
  const view = await viewOf(at.client, topic).catch(() => at.view)
  if (topic.type !== 'bash') {
    at.view = view
    return true
  }
  // Of a shell that has gone, the next line tells.
  if (view.shell === null || (shell !== null && view.shell.id !== shell.id)) return true
  at.view = view
  if (shell === null) {
    startReading(at, view.shell)
    await sayWhatRuns(at)
  } else if (view.shell.running !== null) await sayWhatRunsNow(at)
  else await run(at, BARE_ENTER)
  return true
}

/**
 * Whether what is typed can go where the prompt shows: a line for another shell or document than that is given back, and does not
 * run; what a topic has lost with its daemon is told before.
 */
async function isMeantFor(at: Talk, text: string): Promise<boolean> {
  at.starting.isAllowed = true
  const isShell = at.view.topic.type === 'bash'
  if (isShell && text.startsWith('//')) return true
  const before = at.view.shell?.id
  try {
    const lost = isShell ? null : await whatWasLost(at)
    if (lost !== null) {
      at.reader.print(dim(prose(lost, process.stdout), at.paint.color))
      return true
    }
    const changed = isShell ? await whatChanged(at) : await whatElseIsOpen(at)
    if (changed === null) return true
    if (at.view.shell?.running != null) await (at.view.shell.id === before ? sayCommand(at) : sayLastPrinted(at))
    at.reader.print(dim(prose(changed, process.stdout), at.paint.color))
    if (!isShell && NEEDS_NO_DOCUMENT.test(text)) return true
  } catch (error) {
    const said = asCliError(error)
    at.reader.fault(said instanceof Error ? said.message : String(said))
  }
  giveBack(at, text)
  return false
}

/** A secret is not given back: it would be shown. */
function giveBack(at: Talk, text: string): void {
  if (!at.isSecretAsked) at.reader.putBack(text)
  at.isSecretAsked = false
}

/** Where the relative paths of a command start: where the prompt says. */
function folderOf({ view: { topic, shell }, cwd, shellStart }: Talk): string {
  return shell?.cwd ?? (topic.type === 'bash' ? shellStart : cwd)
}

async function run(at: Talk, text: string): Promise<void> {
  const { client, reader, paint, view } = at
  at.starting.isAllowed = true
  try {
    await fitShell(at)
    // What does not heed an interrupt is ended the second time.
    const isEnded = text === INTERRUPT && at.stubborn !== null
    if (isEnded) await endProgram(at)
    const isInput = view.shell?.running != null
    if (!isInput) forgetProgram(at)
    await client.ready()
    at.starting.isAllowed = false
    at.isGivenLines = isInput && (at.isGivenLines || !text.startsWith('//'))
    const running = runInTopic(client, view.topic, {
      text: isEnded ? LOOK : text,
      cwd: text.startsWith('//') ? folderOf(at) : view.topic.type === 'bash' ? at.shellStart : at.cwd,
      seen: at.seen,
      // A program needs a moment to end.
      isInput: isInput && text !== END_INPUT,
      styles: paint.color,
      pagers: at.pagers,
      place: reader.stage.spinnerPlace,
      onPart: (part) => showSoFar(at, part),
      onSkip: (from, to) => saySkipped(at, from, to),
    })
    // Where a key is on its way already, Ctrl-C comes behind it.
    const isKey = isInput && /^\/\/(?:interrupt|key )/.test(text)
    reader.whileBusy(isKey ? later(at, running.interrupt) : running.interrupt)
    const meanings = { verbs: at.verbs, commands: at.completer.commands(), own: ownNames(view.topic), home: at.home }
    const result = explainedText(await running.result, text, meanings)
    reader.whileBusy(later(at))
    if (isInVain(result)) reader.refuse(text)
    // Where no answer came, and the daemon has gone, the shell has, too.
    if (view.topic.type === 'bash' && result.code === 'STREAM_INCOMPLETE')
      return await sayCutOff(at, view.shell?.running ?? text)
    const isShell = parseTopic(result.topic)?.type === 'bash' && isShellAnswer(result)
    if (isShell) {
      const isInterrupted = running.isInterrupted()
      const goesOn = result.data?.running === true
      if (isInterrupted && goesOn) reader.print('^C')
      // That it was ended so is no news, nor how the command before has.
      const isFine = isInterrupted || text === INTERRUPT || text === BARE_ENTER
      const end = await showShell(at, isFine ? { ...result, ok: true } : result, isInterrupted ? INTERRUPT : text)
      if (end === null) return
      if (isInterrupted && !goesOn) reader.print('^C')
      if (!isInput) at.completer.learn(text)
      const meant = isInput ? null : meantInShell(end, text, [...meanings.commands, ...meanings.own])
      if (meant !== null) reader.print(dim(prose(`(${meant})`, process.stdout), paint.color))
      await follow(at, end, text)
      // What that does to its own terminal is meant for this one.
      if (result.ok && text.trim() === 'clear') reader.clear()
      const isOver = shellAnswer(end).isEnded && at.view.shell === null
      // Nobody leaves who only wanted to end what ran there.
      if (isOver && end.code === 'CANCELLED') sayFreshShell(at, view.shell)
      else if (isOver) leaveWith(at, end)
      return
    }
    const shown = (): string => shownResult(result, { ...paint, width: process.stdout.columns || 80 })
    if (at.pages) await reader.page(shown)
    else reader.print(shown())
    sayHome(at, result, text)
    await follow(at, result, text)
    if (await opensOutside(at, result)) await run(at, text)
  } catch (error) {
    const said = asCliError(error)
    reader.fault(said instanceof Error ? said.message : String(said))
  } finally {
    reader.whileBusy(later(at))
  }
}

/** Another program begins. */
function forgetProgram(at: Talk): void {
  at.isKeptFrom = false
  if (at.hints) at.toldOfKeys.delete('unsure')
}

/** Once is enough: from then on a person knows. */
function sayHome(at: Talk, result: ExecResult, typed: string): void {
  const where = at.isToldOfHome ? null : homeNote(result, typed, at.home)
  if (where === null) return
  at.isToldOfHome = true
  at.reader.print(dim(prose(`(${where})`, process.stdout), at.paint.color))
}

/** Ctrl-C while nothing can be told of it: what runs in a shell then hears of it. */
function later(at: Talk, leave: (how: BusyEnd) => void = () => undefined): (how: BusyEnd) => void {
  return (how) => {
    if (how === 'leave') leave(how)
    else if (at.view.topic.type === 'bash') at.due = INTERRUPT
  }
}

/** A command may have led into another topic, and shows what is open there. */
async function follow(at: Talk, { topic: name, meta, data, ok, code }: ExecResult, typed: string): Promise<void> {
  // What was open is told as lost with the next command.
  if (code === 'STREAM_INCOMPLETE') return
  const before = at.view
  const topic = parseTopic(name) ?? before.topic
  const isElsewhere = topic.canonical !== before.topic.canonical
  if (isElsewhere && !ok) return
  // Only a shell's own answer tells how it stands: any other command may have closed it.
  if (topic.type === 'bash' && typeof data?.cwd !== 'string') at.view = await viewOf(at.client, topic)
  else if (topic.type === 'bash') at.view = { topic, document: meta, shell: await standing(at, topic, data, typed) }
  else at.view = { topic, document: meta, shell: null }
  if (!isElsewhere) return
  const back = `${COMMAND_MARKS[topic.type]}topic ${before.topic.canonical}`
  at.reader.print(
    dim(prose(`(this is topic ${topic.canonical} now; ${back} goes back)`, process.stdout), at.paint.color),
  )
  at.shellStart = at.cwd
  startReading(at, at.view.shell)
  await at.completer.enter(topic)
}

/** Which shell has answered is asked: it may be a new one, and have ended by now. */
async function standing(
  { client, view: { shell: before } }: Talk,
  topic: Topic,
  data: ExecResult['data'],
  typed: string,
): Promise<TopicView['shell']> {
  const now = await standingOf(client, topic)
  if (now === null || data?.running !== true) return now
  return { ...now, running: before?.running ?? typed, hasScreen: data.screen !== undefined }
}

async function goTo(at: Talk, topic: Topic): Promise<void> {
  at.seenIn.set(at.view.topic.canonical, at.seen)
  at.view = await viewOf(at.client, topic)
  at.shellStart = at.cwd
  startReading(at, at.view.shell)
  const { shell } = at.view
  // Of what was seen whole when it was left, nothing is shown again.
  if (shell?.running !== null || at.seenIn.get(topic.canonical) !== shell.place) await sayWhatRuns(at)
  await at.completer.enter(topic)
  await greetApp(at, (command) => run(at, command))
}

/** Commands that do the same whatever is open. */
const NEEDS_NO_DOCUMENT = /^\/(?:exec|events|help|install|set|topics|uninstall|unset)\b(?!.*[{@#])/
const FAREWELL: Line = [{ text: 'Ctrl-C again leaves; so do Ctrl-D and /quit', styles: ['dim'] }]
const SIGNALS = ['SIGTERM', 'SIGHUP'] as const

function onSignals(end: (status: number) => void): () => void {
  const listeners = SIGNALS.map((name) => ({ name, listener: () => end(128 + constants.signals[name]) }))
  for (const { name, listener } of listeners) process.on(name, listener)
  return () => {
    for (const { name, listener } of listeners) process.off(name, listener)
  }
}
