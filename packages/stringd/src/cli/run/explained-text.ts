import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecResult } from '@string-os/client'
import { DEFAULT_TOPIC, MEANT_IN_SHELL, quoted } from '@string-os/protocol'
import { homeFolder } from '../../config.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { inOwnName, isProgramName } from '../program-name.ts'
import { isSlip } from '../slip.ts'

/** What a person may have meant. */
export interface Meanings {
  /** What is typed in a shell behind the name of the program. */
  readonly verbs: readonly string[]
  /** What the topic takes, with its slashes. */
  readonly commands: readonly string[]
  /** What the prompt itself takes, likewise. */
  readonly own: readonly string[]
  /** What `~` is in commands; null where that could not be learned. */
  readonly home: string | null
  /** The topic, where the text was typed in a shell behind it, and not at a prompt. */
  readonly topic?: string
}

/** The same for who reads the answer as programs do: it stays as it is, and this is said beside it. Null: nothing is. */
export function explanation(result: ExecResult, typed: string, meanings: Meanings): string | null {
  if (result.code === 'COMMAND_UNSUPPORTED') return hintFor(result, typed.trim(), meanings)
  return pathHint(result, typed.trim(), meanings.topic) ?? bodyHint(result, typed.trim(), meanings.topic)
}

/** For a person: what became of a text that is no command, when nobody has said yet what may have been meant. */
export function explainedText(result: ExecResult, typed: string, meanings: Meanings): ExecResult {
  const hint = hintFor(result, typed.trim(), meanings)
  return hint === null ? result : withHint(result, hint)
}

/** The status of bash where it finds no program of a name. */
export const NO_PROGRAM = 127

/** Of a line that no program was found for: the command that it names with one slash; null where it names none. */
export function meantInShell({ data, content }: ExecResult, typed: string, commands: readonly string[]): string | null {
  const text = typed.trim()
  const [, name] = /^(\/[^\s/.:]+)/.exec(text) ?? []
  // Where a command of that name is known, the daemon has said so.
  if (data?.exit !== NO_PROGRAM || name === undefined || content.includes(MEANT_IN_SHELL)) return null
  const meant = commands.find((each) => each === `/${name}`) ?? commands.find((each) => isSlip(`/${name}`, each))
  if (meant === undefined) return null
  return `Did you mean ${quoted(text.replace(name, meant), 60)}? String's own commands take two slashes here`
}

/** The same answer with one more line on what can be done. */
function withHint(result: ExecResult, hint: string): ExecResult {
  return { ...result, content: `${result.content}\n  ${hint}` }
}

/** Nothing is at a path that begins with `~`, or something is there now: a person may have meant another home. */
export function isAtHome({ ok, code, content }: ExecResult): boolean {
  return (ok || code === 'NOT_FOUND') && /^[^\n]*: ~(?:[/\n]|$)/.test(content)
}

/** Where something was put that an answer calls `~/x`; null where that is what a person's own shell calls so, too. */
export function homeNote(result: ExecResult, typed: string, home: string | null): string | null {
  const isTold = isAtHome(result) || givesHome(typed)
  return result.ok && home !== null && home !== homeFolder() && isTold ? homeText(home) : null
}

/** An action that is given such a path writes or reads there, and its answer need not name it. */
export function givesHome(typed: string): boolean {
  return /^\s*\/{1,2}(?:act|action|tool)\b.*[\s='"]~\//s.test(typed)
}

function homeText(home: string): string {
  return `~ is ${home} here`
}

/** Where a person's own shell finds what an answer has not found, to be typed. */
function ownFile(content: string, text: string): string {
  const [, path = ''] = /^[^\n]*: (~\/[^\n]*)/.exec(content) ?? []
  const own = join(homeFolder(), path.slice(1))
  if (path === '' || !text.includes(path) || !existsSync(own)) return ''
  return `Did you mean ${quoted(text.replace(path, own), LONG)}? `
}

/** A path is not cut: it would be another one. */
const LONG = 1_000

function hintFor(result: ExecResult, text: string, { verbs, commands, own, home, topic }: Meanings): string | null {
  const { code, content } = result
  if (!result.ok && home !== null && isAtHome(result)) {
    const where = content.includes(homeText(home)) ? '' : homeText(home)
    return `${ownFile(content, text)}${where}`.trimEnd() || null
  }
  const body = pathHint(result, text, topic) ?? bodyHint(result, text, topic)
  if (body !== null) return body
  const typed = behindOwnName(text)
  const [word = ''] = typed.split(/\s/, 1)
  if (code === 'COMMAND_UNKNOWN') {
    const meant = own.find((name) => isSlip(word, name))
    return meant === undefined ? null : `Did you mean ${withName(text, meant)}?`
  }
  if (code !== 'COMMAND_UNSUPPORTED' || text.startsWith('/')) return null
  const isVerb = verbs.includes(word)
  // The daemon has said what may be meant there; of verbs it knows nothing.
  if (content.includes('\n') && !isVerb) return null
  const isForShell = SHELL_SIGNS.test(typed)
  const command = [...commands, ...own].find((name) => !isForShell && isSlip(word, name.replace(/^\/+/, '')))
  const verb = verbs.find((name) => !isForShell && isSlip(word, name))
  const meant = { isVerb, command, verb }
  const said = isVerb || command !== undefined || verb !== undefined ? typed : text
  return inOwnName(topic === undefined ? atPrompt(said, meant) : onCommandLine(said, meant, topic))
}

/** What joins commands, which only a shell does. */
const SHELL_SIGNS = /[;|&<>]|\$\(/

/** A shell has put the home of its user for `~`, which in quotes is that of the agent; null of any other answer, and at a prompt. */
function pathHint({ code, content }: ExecResult, text: string, topic: string | undefined): string | null {
  const [, path = ''] = /^[^\n]*Outside the workspace: ([^\n]+)/.exec(content) ?? []
  const own = homeFolder()
  if (code !== 'INVALID_PATH' || topic === undefined || !path.startsWith(`${own}/`) || !text.includes(path)) return null
  const gone = existsSync(path) ? '' : `There is no ${path}. `
  const meant = shellWord(text.replace(path, `~${path.slice(own.length)}`))
  return inOwnName(`${gone}In quotes, ~ is the home of the agent: string ${topic} ${meant}`)
}

/** How a command that lacks its body, or has it on its line, gets it from a shell; null of any other answer, and at a prompt. */
function bodyHint({ ok, content }: ExecResult, text: string, topic: string | undefined): string | null {
  if (ok || topic === undefined || !/ \+ body on the next lines$/m.test(content) || text.includes('\n')) return null
  const [, extra] = /^(?:ERROR\(\w+\): )?Too many arguments: (\S+) \(/.exec(content) ?? []
  if (extra === undefined && !/ needs a body on the next lines/.test(content)) return null
  const at = extra === undefined ? -1 : text.indexOf(` ${extra}`)
  // Whoever wrote the mark of standard input has the body there.
  if (extra === '-' && at !== -1)
    return inOwnName(`From a pipe: { echo ${shellWord(text.slice(0, at))}; cat; } | string ${topic} -`)
  const lines = at === -1 ? [text, 'TEXT'] : [text.slice(0, at), text.slice(at + 1)]
  return inOwnName(`From a shell: printf '%s\\n' ${lines.map(shellWord).join(' ')} | string ${topic} -`)
}

interface Meant {
  /** The first word is one. */
  readonly isVerb: boolean
  /** What that nearly is. */
  readonly command: string | undefined
  readonly verb: string | undefined
}

function atPrompt(text: string, { isVerb, command, verb }: Meant): string {
  const [word = ''] = text.split(/\s/, 1)
  if (isVerb) return `${word} is a verb: type string ${word} in a shell`
  if (command !== undefined) return `Did you mean ${withName(text, command)}?`
  if (verb !== undefined) return `Did you mean string ${verb}, in a shell?`
  return `${JSON.stringify(quoted(text, 40))} is text, which only a shell takes: /topic bash:NAME goes to one`
}

function onCommandLine(text: string, { isVerb, command, verb }: Meant, topic: string): string {
  const [word = ''] = text.split(/\s/, 1)
  if (isVerb) return `${word} is a verb: string ${word}`
  if (command !== undefined) return `Did you mean string ${topic} ${shellWord(withName(text, command))}?`
  if (verb !== undefined) return `Did you mean string ${verb}?`
  const shown = quoted(text, 40)
  // Whoever names main or a kind of topic means one.
  const isTaken = /^[\w-]+$/.test(topic) && topic !== DEFAULT_TOPIC.canonical
  const taken = isTaken ? ` (${topic} was taken for a topic: no verb is called so)` : ''
  return `${JSON.stringify(shown)} is text, which only a shell takes: string bash:NAME ${shellWord(shown)}${taken}`
}

/** What is typed in a shell behind our own name, which is no part of it. */
function behindOwnName(text: string): string {
  const [, first = '', rest = ''] = /^(\S+)\s+(.+)$/s.exec(text) ?? []
  return isProgramName(first) ? rest : text
}

/** The text with the name that was meant in place of its first word. */
function withName(text: string, name: string): string {
  return quoted(text.replace(/^\S+/, name), 60)
}
