import type { Verb, VerbRow } from '../verb-row.ts'
import { SINCE } from './since.ts'

/** The program behind everything: is it there, and what does it do? */
export const DAEMON_VERBS: readonly VerbRow[] = [
  {
    name: 'status',
    group: 'The daemon',
    daemon: 'looks',
    summary: 'does the daemon run, where, since when?',
    usage: ['status'],
    about: ['Starts nothing. string --daemon status is the same.'],
    examples: [
      { line: 'status', does: 'port, version, data folder, store' },
      { line: 'status --json', does: 'the same for programs' },
    ],
    exits: [{ status: 3, when: 'it does not run' }],
    load: daemonVerb,
  },
  {
    name: 'page',
    group: 'The daemon',
    summary: 'see everything in a browser',
    usage: ['page [AGENT] [--print]'],
    takes: 'agent',
    about: [
      'Opens the page of the daemon, or of one agent in it, and prints its address;',
      'without a desktop that is all it does.',
    ],
    flags: [{ name: 'print', summary: 'open nothing' }],
    examples: [
      { line: 'page', does: 'open it' },
      { line: 'page --agent bob', does: 'what bob does' },
    ],
    load: async (): Promise<Verb> => (await import('../page/verb.ts')).runPageVerb,
  },
  {
    name: 'start',
    group: 'The daemon',
    summary: 'start the daemon, as what needs it does; restart: anew',
    usage: ['start [--port N]'],
    about: ['One that runs already is left alone.'],
    examples: [
      { line: 'start', does: 'on STRING_PORT, else 3923' },
      { line: 'start --port 0', does: 'on any port that is free' },
    ],
    exits: [{ status: 3, when: 'it could not start' }],
    load: daemonVerb,
  },
  {
    name: 'stop',
    group: 'The daemon',
    daemon: 'looks',
    summary: 'end the daemon, or what runs in a topic',
    usage: ['stop', 'stop TOPIC [--all]'],
    about: [
      'Alone it ends the daemon and all that it runs: shells, turns, commands. With a',
      'TOPIC it ends the command that runs there; the topic and the daemon go on.',
    ],
    flags: [{ name: 'all', summary: 'what waits in the topic, too' }],
    takes: 'topic',
    examples: [
      { line: 'stop', does: 'the daemon' },
      { line: 'stop bash:build', does: 'only what runs in that topic' },
    ],
    exits: [{ status: 3, when: 'the daemon does not stop' }],
    load: async (): Promise<Verb> => (await import('../run/stop.ts')).runStopVerb,
  },
  {
    name: 'logs',
    group: 'The daemon',
    daemon: 'looks',
    summary: 'what happened: turns, events, messages, faults',
    usage: ['logs [AGENT] [--failed] [--since WHEN] [--limit N] [--follow]'],
    about: [
      'One timeline, the newest last. What failed has its reason on the next line.',
      'Where no daemon runs, none is started: its log file is read, or with --follow',
      'it is waited for.',
    ],
    flags: [
      { name: 'failed', summary: 'only what failed, and what the daemon warns of' },
      SINCE,
      {
        name: 'limit',
        value: 'N',
        takes: 'text',
        summary: 'at most so many, else 50; -f --since 1s: new ones alone',
      },
      { name: 'follow', short: 'f', summary: 'also what happens from now on, until Ctrl-C' },
    ],
    takes: 'agent',
    examples: [
      { line: 'logs --failed --since yesterday', does: 'why did an agent fail?' },
      { line: 'logs bob --follow', does: 'what bob does, as it happens' },
    ],
    exits: [{ status: 3, when: 'no daemon: what its log file says is shown' }],
    load: async (): Promise<Verb> => (await import('../logs/verb.ts')).runLogsVerb,
  },
  {
    name: 'restart',
    group: 'The daemon',
    toldBy: 'start',
    summary: 'end the daemon and start it anew, on the same port',
    usage: ['restart [--port N]'],
    about: ['What it ran ends; what it keeps is kept. Needed after an upgrade.'],
    examples: [
      { line: 'restart', does: 'after an upgrade, or a changed variable' },
      { line: 'restart --port 4000', does: 'on another port' },
    ],
    exits: [{ status: 3, when: 'it could not start' }],
    load: daemonVerb,
  },
]

async function daemonVerb(): Promise<Verb> {
  return (await import('../daemon/verb.ts')).runDaemonVerb
}
