import type { Verb, VerbRow } from '../verb-row.ts'

/** The program behind everything: is it there, and what does it do? */
export const DAEMON_VERBS: readonly VerbRow[] = [
  {
    name: 'stop',
    group: 'The daemon',
    summary: 'end what runs in a topic',
    usage: ['stop TOPIC [--all]'],
    flags: [{ name: 'all', summary: 'what waits in the topic, too' }],
    takes: 'topic',
    examples: [
      { line: 'stop bash:build', does: 'end the command that runs there; the topic stays' },
      { line: 'stop main --all', does: 'those that wait, too' },
    ],
    load: async (): Promise<Verb> => (await import('../run/stop.ts')).runStopVerb,
  },
  {
    name: 'logs',
    group: 'The daemon',
    summary: 'what happened: turns, messages, faults',
    usage: ['logs [AGENT] [--failed] [--since WHEN] [--limit N] [--follow]'],
    about: ['One timeline, the newest last. What failed has its reason on the next line.'],
    flags: [
      { name: 'failed', summary: 'only what failed, and what the daemon warns of' },
      { name: 'since', value: 'WHEN', takes: 'text', summary: '30m, 2h, 1d ago, or a day or time such as 2026-11-15' },
      { name: 'limit', value: 'N', takes: 'text', summary: 'at most so many; 50 without it' },
      { name: 'follow', short: 'f', summary: 'also what happens from now on, until Ctrl-C' },
    ],
    takes: 'agent',
    examples: [
      { line: 'logs --failed --since 1d', does: 'why did an agent fail since yesterday?' },
      { line: 'logs bob --follow', does: 'what bob does, as it happens' },
    ],
    exits: [{ status: 3, when: 'no daemon: what its log file says is shown' }],
    load: async (): Promise<Verb> => (await import('../logs/verb.ts')).runLogsVerb,
  },
]
