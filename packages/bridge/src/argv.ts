import { nearest, splitWords } from '@string-os/protocol'
import type { Finding, KeyPlaces } from './finding.ts'
import type { KeyName, KeyValues } from './profile-keys.ts'
import { WIRES } from './wires.ts'

/** What a turn puts in the place of each placeholder. */
export interface PlaceholderValues {
  readonly MESSAGE: string
  readonly SESSION_ID: string
  readonly SESSION_NAME: string
  readonly PROFILE_DIR: string
}

const NAMES: readonly string[] = ['MESSAGE', 'SESSION_ID', 'SESSION_NAME', 'PROFILE_DIR']
const PLACEHOLDER = /\{\{(MESSAGE|SESSION_ID|SESSION_NAME|PROFILE_DIR)\}\}/g
const LIKE_PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g
const SHELL = /^(?:.*\/)?(?:ba|z|da|k|a)?sh$/

/** Replaces every placeholder once: what a value holds is never looked at again. */
export function fillIn(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (_, name: keyof PlaceholderValues) => values[name])
}

/** The words of `command`; a list is never split. */
export function commandWords({ command, wire }: Pick<KeyValues, 'command' | 'wire'>): readonly string[] {
  return typeof command === 'string' ? WIRES[wire].commandWords(command) : command
}

interface WordFindings {
  readonly problems: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** What is wrong with the words of a profile: a program or folder that the sender could choose, unknown placeholders. */
export function wordFindings(values: KeyValues, places: KeyPlaces): WordFindings {
  const words = commandWords(values)
  const problems = [...emptyProgram(words, places), ...chosenBySender(words[0] ?? '', values.cwd, places)]
  const warnings = [
    ...unknownPlaceholders(values, places),
    ...shellScript([...words, ...values.args], places),
    ...quotes(values.command, words, places),
    ...shellSigns(values.command, words, places),
  ]
  return { problems, warnings }
}

function emptyProgram(words: readonly string[], places: KeyPlaces): Finding[] {
  if (words[0] !== undefined && words[0] !== '') return []
  return [{ ...places.command, message: '`command` is empty', fix: 'Name a program, for example: command: ./agent.py' }]
}

function chosenBySender(program: string, cwd: string | null, places: KeyPlaces): Finding[] {
  return [...foreign('command', 'the program', program, places), ...foreign('cwd', 'the folder', cwd ?? '', places)]
}

function foreign(key: KeyName, what: string, text: string, places: KeyPlaces): Finding[] {
  const [found] = [...text.matchAll(PLACEHOLDER)].filter(([whole]) => whole !== '{{PROFILE_DIR}}')
  if (found === undefined) return []
  const message = `${found[0]} in ${key === 'cwd' ? '`cwd`' : 'the program word of `command`'}: a sender must not choose ${what}`
  const fix = key === 'cwd' ? 'Write a fixed folder' : `Name a program and give it ${found[0]} in \`args\``
  return [{ ...places[key], message, fix }]
}

function unknownPlaceholders(values: KeyValues, places: KeyPlaces): Finding[] {
  const texts: [KeyName, readonly string[]][] = [
    ['command', typeof values.command === 'string' ? [values.command] : values.command],
    ['args', values.args],
    ['cwd', [values.cwd ?? '']],
    ['env', Object.values(values.env)],
  ]
  return texts.flatMap(([key, all]) =>
    all.flatMap((text) => strangers(text)).map((each) => ({ ...places[key], ...each })),
  )
}

function strangers(text: string): Pick<Finding, 'message' | 'fix'>[] {
  const found = [...text.matchAll(LIKE_PLACEHOLDER)].filter(([whole]) => whole.search(PLACEHOLDER) === -1)
  return found.map(([whole, name = '']) => {
    const close = nearest(name, NAMES)
    const fix = close === null ? `Known are ${NAMES.map((each) => `{{${each}}}`).join(', ')}` : `Write {{${close}}}`
    return { message: `${whole} is no placeholder and stays as it is`, fix }
  })
}

/** Who quotes takes `command` for a line of a shell; it is split at white space, and each quote stays in its word. */
function quotes(command: KeyValues['command'], words: readonly string[], places: KeyPlaces): Finding[] {
  const quoted = words.find((word) => /['"]/.test(word))
  if (typeof command !== 'string' || words.length === 1 || quoted === undefined) return []
  const meant = splitWords(command)
  const fix =
    meant === null ? 'Write a list of words, or name a script file' : `Write a list: command: ${listOf(meant)}`
  return [{ ...places.command, message: `Quotes are not special in \`command\`: one word is ${quoted}`, fix }]
}

/** The same of what joins commands, and says where their output goes: to a program they are words like others. */
function shellSigns(command: KeyValues['command'], words: readonly string[], places: KeyPlaces): Finding[] {
  const sign = words.find((word, at) => at > 0 && /^(?:\||\|\||&&|&|;|\d?>{1,2}|<|2>&1)$/.test(word))
  if (typeof command !== 'string' || sign === undefined || SHELL.test(words[0] ?? '')) return []
  const message = `No shell reads \`command\`: ${words[0]} gets ${sign} as a word`
  return [{ ...places.command, message, fix: 'Put the line into a script, and name that: command: ./agent.sh' }]
}

/** JSON is YAML. */
function listOf(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`
}

/** `sh -c '… {{MESSAGE}} …'` would make a script of the message. */
function shellScript(words: readonly string[], places: KeyPlaces): Finding[] {
  const option = words.findIndex((word, index) => index > 0 && /^-[a-z]*c$/.test(word))
  const script = words[option + 1] ?? ''
  if (!SHELL.test(words[0] ?? '') || option === -1 || !script.includes('{{MESSAGE}}')) return []
  const fix = 'Use "$AGENT_MESSAGE" in the script'
  return [{ ...places.command, message: 'The message becomes a part of a shell script, and can run anything', fix }]
}
