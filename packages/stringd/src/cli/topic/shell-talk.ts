import { constants } from 'node:os'
import type { ExecResult } from '@string-os/client'
import { asksSecret, readsSecret, shownBytes, visibleLine } from '@string-os/protocol'
import { dim } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import { promptOf } from './prompt.ts'
import {
  aboveLine,
  bytesBetween,
  isMore,
  isStopped,
  openLine,
  type PromptLine,
  placeAfter,
  shellAnswer,
  unreadLines,
} from './shell-answer.ts'
import { sayCutOff } from './shell-standing.ts'
import { shortCommand } from './short-command.ts'
import { exitNote, outputNote } from './show-result.ts'
import { isRaw, isSecretRead, mayReadKeys, type ShownPart } from './shown-part.ts'
import { shownRows } from './shown-rows.ts'
import type { Talk } from './talk.ts'
import { STOPPED, settlePart, showPart, unreadFrom, VISIT, visitProgram, wantsKeys } from './visits.ts'

/** Typed to a program that runs: nobody types these themselves. */
export const ENTER_KEY = '//key enter'
export const LOOK = '//wait 0'
/** Enter alone, at the prompt of the shell itself. */
export const BARE_ENTER = ' '
export const INTERRUPT = '//interrupt'
export const END_INPUT = '//key ctrl-d'
/** Before a text that Ctrl-D sends. */
export const SEND = '\x04'
export const STOP = '//key ctrl-z'

/**
 * Shows what a shell answered; a program that has the whole screen is visited. Tells how it stands then; null: it was cut off
 * meanwhile, which has been said.
 */
export async function showShell(at: Talk, result: ExecResult, typed: string): Promise<ExecResult | null> {
  const unread = at.isSecretAsked ? [] : unreadLines(result)
  noteTyped(at, result, typed)
  const end = await showAnswer(at, result, typed)
  giveBack(at, unread, shellAnswer(result).isRunning)
  return end
}

async function showAnswer(at: Talk, result: ExecResult, typed: string): Promise<ExecResult | null> {
  const { color } = at.paint
  const { output, shown, screen, isRunning, isEnded } = shellAnswer(result)
  const isFirst = at.view.shell?.running == null
  // The Enter behind what nobody saw has ended the line here, and programs end it once more.
  const isLineEnded = typed === INTERRUPT || typed === END_INPUT || at.isSecretAsked
  const line = readBy(at, result)
  // Whoever only looks has not answered yet.
  const isStillAsked = at.isSecretAsked && typed.startsWith('//') && typed !== ENTER_KEY
  const isSecret = isSecretRead(result) || asksSecret(output)
  at.isSecretAsked = isRunning && (isSecret || isStillAsked || (isFirst && readsSecret(typed)))
  // An interpreter that says something and asks for the next line has heeded it; so has what reads the key itself.
  const isHeeded = output !== '' && (line !== null || at.isRaw)
  at.interrupts = typed === INTERRUPT && isRunning && !isHeeded ? at.interrupts + 1 : 0
  // What says something may be about to end.
  const isSilent = at.interrupts > 1 || output === ''
  at.stubborn = at.interrupts === 0 ? null : isSilent ? 'surely' : 'perhaps'
  at.isInputEnded = typed === END_INPUT && isRunning
  if (!isRunning && (typed === STOP || isStopped(result, output))) {
    print(at, shown.trimStart())
    print(at, dim(prose(STOPPED, process.stdout), color))
    return result
  }
  if (isEnded) {
    print(at, shown)
    return result
  }
  if (screen === null || typed === INTERRUPT) {
    const isKnown = !isFirst || at.isToldOfInput
    const drawn = rowsIn(result)
    const text = aboveLine(shown, line)
    // The line in which the key was pressed has ended here already.
    if (drawn === null) print(at, isLineEnded ? text.replace(/^\n/, '') : text)
    else showPart(at, drawn)
    if (typed !== INTERRUPT && wantsKeys(at, result)) return visitProgram(at, typed, result)
    const note = at.stubborn !== null ? '' : outputNote(result, { isKnown, color, hints: at.hints })
    if (note !== '') at.reader.hint(note)
    at.isToldOfInput ||= isRunning
    if (at.stubborn !== null) print(at, dim(prose(STUBBORN, process.stdout), color))
    if (at.isInputEnded) print(at, dim(INPUT_ENDED, color))
    if (!isFirst && !isRunning && typed !== INTERRUPT && (output === '' || typed === END_INPUT)) sayEnded(at)
    sayKeys(at, result)
    return result
  }
  print(at, shown)
  return visitProgram(at, typed, result)
}

function noteTyped(at: Talk, result: ExecResult, typed: string): void {
  const { output, isRunning } = shellAnswer(result)
  if (!isRunning || output !== '') at.isUnanswered = false
  else if (at.view.shell?.running != null && !typed.startsWith('//') && !at.isSecretAsked) at.isUnanswered = true
}

/** Whoever interrupts a program gets back what it has not read: the terminal throws that away. A secret would be shown. */
function giveBack(at: Talk, lines: readonly string[], isRunning: boolean): void {
  if (lines.length === 0) return
  at.reader.putBack(...lines)
  print(at, dim(isRunning ? GIVEN_BACK : GIVEN_TO_SHELL, at.paint.color))
}

const GIVEN_BACK = '(what it has not read is given back)'
const GIVEN_TO_SHELL = '(what it has not read is given back: Enter runs it here)'
/** Of a program that ends without a word, one says it here: what is typed next is the shell's. */
function sayEnded(at: Talk): void {
  const { running = null } = at.view.shell ?? {}
  if (running !== null && at.hints)
    print(at, dim(`(${shortCommand(running)} has ended: this is the shell)`, at.paint.color))
}

const INPUT_ENDED = '(it goes on: Ctrl-D again leaves it running)'
const STUBBORN = '(it goes on: Ctrl-C again ends it for good, Ctrl-D leaves it running)'
const HAS_EDITOR = '(it edits lines by itself: Ctrl-] gives it the keys, for its own Tab and history)'
const MAY_READ_KEYS = '(if it waits for a single key: Ctrl-] gives it the keys)'
const HAS_SCREEN = '(it has the whole screen now: Enter shows it)'

/** What is typed is for a program that has asked for what nobody should see. */
export function hidesTyped({ view: { shell }, isSecretAsked }: Talk): boolean {
  return shell?.running != null && isSecretAsked
}

function print({ reader }: Pick<Talk, 'reader'>, text: string): void {
  if (text !== '') reader.print(text)
}

function columnsHere(): number {
  return process.stdout.columns || 80
}

function rowsIn(result: ExecResult): ShownPart | null {
  return shownRows(result, columnsHere())
}

/** What an answer holds has been read then; its last line may be the prompt. */
export function readBy(at: Talk, result: ExecResult): PromptLine | null {
  at.seen = placeAfter(result, at.seen)
  at.line = rowsIn(result) === null ? openLine(result, columnsHere()) : null
  at.isRaw = isRaw(result)
  return at.line
}

/** What was printed before the answer that is waited for, or at rest. Tells from where on it is to be read. */
export function showSoFar(at: Talk, result: ExecResult): string {
  const drawn = rowsIn(result)
  const line = openLine(result, columnsHere())
  if (drawn !== null) showPart(at, drawn, false)
  else {
    settlePart(at, aboveLine(shellAnswer(result).shown, line))
    at.seen = line?.place ?? placeAfter(result, at.seen)
    at.line = null
  }
  return unreadFrom(at)
}

/** Of a flood that was interrupted. */
export function saySkipped(at: Talk, from: string, to: string): void {
  const bytes = bytesBetween(from, to)
  const more = bytes === null ? '' : `: ${shownBytes(bytes)}`
  print(at, dim(prose(`(what it had printed before Ctrl-C is not shown${more})`, process.stdout), at.paint.color))
  at.line = null
}

/** What comes while nothing runs here: of jobs in the background, and of what others run. Tells whether the shell goes on. */
function toldAtRest(at: Talk, result: ExecResult): boolean {
  const began = result.data?.began
  if (typeof began === 'string') print(at, dim(`$ ${visibleLine(began)}`, at.paint.color))
  showSoFar(at, result)
  goAlong(at, result)
  const { isEnded } = shellAnswer(result)
  // A line that was begun for the shell that has gone is not sent to another: Enter tells.
  if (isEnded && !at.reader.hasTyped) void sayCutOff(at, null)
  return !isEnded
}

/** Whoever else uses the shell may have gone to another folder. A line that was begun in this one is not sent along: Enter tells. */
function goAlong(at: Talk, { data }: ExecResult): void {
  const { shell } = at.view
  const cwd = data?.cwd
  if (shell === null || shell.running !== null || typeof cwd !== 'string' || cwd === shell.cwd) return
  if (at.reader.hasTyped) return
  at.view = { ...at.view, shell: { ...shell, cwd } }
  at.reader.changePrompt(promptOf(at.view, at))
}

/** What a shell printed in the meantime stands above the prompt. Tells whether it goes on. */
export function told(at: Talk): (result: ExecResult) => boolean {
  return (result) => {
    if (at.view.shell?.running == null || isMore(result)) return toldAtRest(at, result)
    tellRunning(at, result)
    return at.ended === null
  }
}

function tellRunning(at: Talk, result: ExecResult): void {
  const { shell } = at.view
  const { output, shown, screen, isRunning, isEnded } = shellAnswer(result)
  const before = at.line?.text
  const line = readBy(at, result)
  const drawn = rowsIn(result)
  const above = drawn === null ? aboveLine(shown, line) : ''
  if (drawn !== null) showPart(at, drawn)
  else settlePart(at, above)
  const isOtherLine = at.line?.text !== before
  // It asks again: the next Ctrl-C is the first for that.
  if (isOtherLine && at.line !== null) at.stubborn = null
  if (isEnded) return leaveWith(at, result)
  if (!isRunning) print(at, isInterrupted(result) ? '^C' : exitNote(result, at.paint.color))
  if (output === '' && !isRunning && at.isUnanswered) sayEnded(at)
  if (above !== '' || isOtherLine || !isRunning) at.isUnanswered = false
  if (shell === null) return
  const hasScreen = screen !== null
  const cwd = typeof result.data?.cwd === 'string' ? result.data.cwd : shell.cwd
  const wasSecret = at.isSecretAsked
  at.isSecretAsked ||= isSecretRead(result) || asksSecret(output)
  if (!isRunning) {
    if (at.isSecretAsked) at.reader.dropTyped()
    at.isSecretAsked = false
  }
  const isChanged = !isRunning || hasScreen !== shell.hasScreen || isOtherLine || at.isSecretAsked !== wasSecret
  at.view = { ...at.view, shell: { ...shell, cwd, running: isRunning ? shell.running : null, hasScreen } }
  if (isChanged) at.reader.changePrompt(promptOf(at.view, at))
  sayKeys(at, result)
  if (isRunning && wantsKeys(at, result)) at.reader.enterForGuest(VISIT)
  tellScreen(at, hasScreen && !shell.hasScreen)
}

/** The whole screen is given at once, where that takes no line away from anybody. */
function tellScreen(at: Talk, isNew: boolean): void {
  at.isScreenDue = at.view.shell?.hasScreen === true && (at.isScreenDue || isNew)
  if (!isNew) return
  if (at.reader.isIdle) at.reader.enterForGuest(VISIT)
  else at.reader.hint(dim(HAS_SCREEN, at.paint.color))
}

/** Once is enough: who sits before a line editor of its own learns how to use that. What may wait for a key says nothing itself. */
function sayKeys(at: Talk, result: ExecResult): void {
  if (!isRaw(result) || at.line === null || at.isSecretAsked) return
  const kind = mayReadKeys(result) ? 'unsure' : 'editor'
  if (at.toldOfKeys.has(kind)) return
  at.toldOfKeys.add(kind)
  at.reader.hint(dim(prose(kind === 'unsure' ? MAY_READ_KEYS : HAS_EDITOR, process.stdout), at.paint.color))
}

/** Somebody else has pressed Ctrl-C. */
function isInterrupted({ data }: ExecResult): boolean {
  return data?.exit === 128 + constants.signals.SIGINT
}

/** Whoever sits before a shell that ends leaves with it, as with any other. */
export function leaveWith(at: Talk, { data }: ExecResult): void {
  const exit = typeof data?.exit === 'number' ? data.exit : 0
  print(at, dim(`(the shell has ended${exit === 0 ? '' : `, exit: ${exit}`})`, at.paint.color))
  at.view = { ...at.view, shell: null }
  at.ended = exit
  at.reader.changePrompt([])
  at.reader.close()
}

/** Ends what does not heed Ctrl-C, with all that it started. */
export async function endProgram({ client, view: { topic } }: Talk): Promise<void> {
  await client.sessions.cancel(topic.canonical)
}
