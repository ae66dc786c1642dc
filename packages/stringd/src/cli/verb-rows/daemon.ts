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
]
