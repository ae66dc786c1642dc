import { count, fail, LIMITS, ok, page } from '@string-os/protocol'
import { KEY_NAMES, keyCode } from '../../shell/bash/key-codes.ts'
import type { CommandEnd } from '../../shell/bash/shell-state.ts'
import { type Command, usage } from '../core/command.ts'
import { defineCommand } from '../core/define.ts'
import { explained } from '../read/help.ts'
import { interruptResult, shellResult } from './bash-input.ts'

const HELP = `Every line you send is shell input: a command at the prompt, or input for the program that runs.
State (folder, variables, functions, jobs) persists. A command that still runs after 30 s answers \`running\`.

`

const OTHERS = `
- \`//close\`: End the shell, with everything that it started

Commands of other topics take two slashes here: \`//open README.md\`. \`/help\` in another topic lists them.`

const NO_SHELL = ['No shell runs in this topic', 'Send a command to start one'] as const

const help = defineCommand({
  name: 'help',
  summary: 'Show this, or explain one command',
  params: { command: 'optional' },
  flags: {},
  body: 'none',
  details: [],
  examples: ['//help', '//help wait'],
  run({ command }) {
    if (command === undefined) return page('Bash Session', listAll())
    const name = command.replace(/^\/+/, '')
    const found = BASH_COMMANDS.find((row) => row.name === name)
    if (found !== undefined) return explained(found, '//')
    return fail('COMMAND_UNKNOWN', `No command of a shell: //${name}`, `//${name} --help explains one of other topics`)
  },
})

function listAll(): string {
  const rows = BASH_COMMANDS.map((row) => `- \`/${usage(row)}\`: ${row.summary}`)
  return `${HELP}${rows.join('\n')}${OTHERS}`
}

const info = defineCommand({
  name: 'info',
  summary: 'Show the shell: folder, what runs and for how long',
  immediate: true,
  params: {},
  flags: {},
  body: 'none',
  details: [],
  examples: ['//info'],
  run(_args, { shell, topic, agent }) {
    const state = shell.info()
    const lines = [
      `topic: ${topic.canonical} (bash)`,
      `agent: ${agent.id}`,
      `cwd: ${state?.cwd ?? '(no shell yet)'}`,
      ...(state?.untold == null ? [] : [`ended meanwhile: ${state.untold.command} (exit ${state.untold.status})`]),
      `running: ${state?.running == null ? '(nothing)' : `${state.running.command} (${count(state.running.seconds, 'second')})`}`,
    ]
    return ok('Session info', lines.join('\n'), {
      shell: state?.id ?? null,
      cwd: state?.cwd ?? null,
      running: state?.running != null,
      command: state?.running?.command ?? null,
      seconds: state?.running?.seconds ?? null,
      place: state?.place ?? null,
      ended: endOf(state?.untold),
      last: endOf(state?.last),
    })
  },
})

function endOf(end: CommandEnd | null | undefined): { command: string; exit: number } | null {
  return end == null ? null : { command: end.command, exit: end.status }
}

const wait = defineCommand({
  name: 'wait',
  summary: 'Wait for the running command, at most this many seconds',
  immediate: 'placed',
  params: { seconds: 'optional' },
  flags: {},
  body: 'none',
  details: [],
  examples: ['//wait 300'],
  async run({ seconds = '30' }, { shell }) {
    if (!/^\d{1,5}$/.test(seconds))
      return fail('INVALID_PARAMS', `Not a number of seconds: ${seconds}`, 'Usage: //wait SECONDS')
    const state = await shell.wait(Number(seconds) * 1000)
    return state === null ? fail('NOT_FOUND', ...NO_SHELL) : shellResult(state, shell)
  },
})

const interrupt = defineCommand({
  name: 'interrupt',
  summary: 'Send Ctrl-C to what runs',
  immediate: true,
  params: {},
  flags: {},
  body: 'none',
  details: [],
  examples: ['//interrupt'],
  async run(_args, { shell }) {
    const state = await shell.interrupt()
    return state === null ? fail('NOT_FOUND', ...NO_SHELL) : interruptResult(state, shell)
  },
})

const key = defineCommand({
  name: 'key',
  summary: 'Press keys: q, enter, esc, up, ctrl-c, ctrl-d (ends its input) …',
  immediate: true,
  params: {},
  flags: {},
  body: 'none',
  raw: true,
  usage: 'NAME…',
  details: [`Keys are ${KEY_NAMES}. Several are pressed one after the other.`],
  examples: ['//key q', '//key ctrl-d', '//key esc : w q enter'],
  async run({ rest }, { shell }) {
    const names = rest.split(/\s+/).filter((name) => name !== '')
    if (names.length === 0) return fail('USAGE', '/key needs NAME', 'Usage: //key NAME…')
    const unknown = names.find((name) => keyCode(name, false) === null)
    if (unknown !== undefined)
      return fail('INVALID_PARAMS', `Unknown key: ${unknown}`, `Keys: ${KEY_NAMES}`, '//send TEXT types a text')
    const state = await shell.press(names)
    return state === null ? fail('NOT_FOUND', ...NO_SHELL) : shellResult(state, shell)
  },
})

const send = defineCommand({
  name: 'send',
  summary: 'Type text without a newline',
  immediate: true,
  params: {},
  flags: {},
  body: 'optional',
  raw: true,
  usage: 'TEXT',
  details: [],
  examples: ['//send y'],
  async run({ rest, body }, { shell }) {
    const state = await shell.type(body === '' ? rest : `${rest}\n${body}`)
    return state === null ? fail('NOT_FOUND', ...NO_SHELL) : shellResult(state, shell)
  },
})

const size = defineCommand({
  name: 'size',
  summary: 'Make its terminal COLUMNS wide and ROWS high',
  immediate: true,
  params: { columns: 'required', rows: 'required' },
  flags: {},
  body: 'none',
  details: ['It is 160 × 50 at first; programs hear of the change.'],
  examples: ['//size 120 40'],
  run({ columns, rows }, { shell }) {
    const wanted = { columns: Number(columns), rows: Number(rows) }
    const isFine = isWithin(wanted.columns, LIMITS.terminalColumns) && isWithin(wanted.rows, LIMITS.terminalRows)
    if (!isFine)
      return fail(
        'INVALID_PARAMS',
        `No size of a terminal: ${columns} × ${rows}`,
        `1 to ${LIMITS.terminalColumns} columns, 1 to ${LIMITS.terminalRows} rows: //size 120 40`,
      )
    shell.resize(wanted)
    return ok(`Terminal: ${wanted.columns} × ${wanted.rows}`)
  },
})

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}

/** What a bash topic takes behind `//`, before the commands of every topic. */
export const BASH_COMMANDS: readonly Command[] = [info, wait, interrupt, key, send, size, help]
