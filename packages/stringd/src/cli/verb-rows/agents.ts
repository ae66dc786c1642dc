import { TURN_STATES } from '@string-os/protocol'
import type { ExitText, FlagText, SubverbRow, Verb, VerbRow } from '../verb-row.ts'
import { SINCE } from './since.ts'

const ADD_FLAGS: readonly FlagText[] = [
  { name: 'home', value: 'DIR', takes: 'folder', summary: 'where it lives; ~/.string/agents/ID when nothing is said' },
  { name: 'allow', value: 'DIR', takes: 'folder', summary: 'a folder that it may use too; may be repeated' },
  { name: 'disallow', value: 'DIR', takes: 'folder', summary: 'one that it may use no more' },
  { name: 'profile', value: 'FILE', takes: 'file', summary: 'how it is run: string bridge init writes one' },
  { name: 'yes', summary: 'do not ask where an agent gets another home' },
]

function told(name: string, summary: string): SubverbRow {
  const examples = [{ line: `agent ${name} bob`, does: summary }]
  return { name, summary, usage: [`agent ${name} ID`], takes: 'agent', examples }
}

const SESSION_FLAGS: readonly FlagText[] = [
  { name: 'session', value: 'NAME', takes: 'session', summary: 'which conversation to go on with (default)' },
  { name: 'new', summary: 'begin it anew' },
]

const NOTE: FlagText = { name: 'note', value: 'TEXT', takes: 'text', summary: 'a word for the history' }
const ANSWER_EXITS: readonly ExitText[] = [{ status: 1, when: 'there is no such question, or another was first' }]

/** What agents are, do, get and send. */
export const AGENT_VERBS: readonly VerbRow[] = [
  {
    name: 'agent',
    group: 'Agents',
    summary: 'who works here: list, add, pause, remove agents',
    usage: [
      'agent list | show ID | status ID | remove ID [--yes]',
      'agent add ID [--home DIR] [--[dis]allow DIR]… [--profile FILE]',
      'agent start | stop | pause | resume ID | allow ID [DIR]… [--remove DIR]',
    ],
    subverbs: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'all agents: how each is, and what it did last',
        usage: ['agent list'],
        examples: [{ line: 'agent list', does: 'who is broken, limited, or has events waiting?' }],
      },
      told('show', 'its home, folders and profile'),
      {
        name: 'add',
        summary: 'make an agent, or change one',
        usage: ['agent add ID [--home DIR] [--[dis]allow DIR]… [--profile FILE]'],
        flags: ADD_FLAGS,
        examples: [
          { line: 'agent add bob --profile bob.yaml', does: 'an agent that takes turns' },
          { line: 'agent add bob --home ~/bob', does: 'where it lives' },
        ],
      },
      {
        name: 'allow',
        summary: 'open further folders to it; without one: which are',
        usage: ['agent allow ID [DIR]… [--remove DIR]'],
        takes: 'agent',
        takesNext: 'folder',
        many: true,
        flags: [{ name: 'remove', value: 'DIR', takes: 'folder', summary: 'one that it may use no more' }],
        examples: [
          { line: 'agent allow bob ~/notes', does: 'one more folder for it' },
          { line: 'agent allow bob', does: 'which may it use?' },
        ],
      },
      {
        name: 'remove',
        aliases: ['rm', 'delete'],
        summary: 'forget it with its turns and events; its files stay',
        usage: ['agent remove ID [--yes]'],
        takes: 'agent',
        flags: [{ name: 'yes', summary: 'do not ask; in a pipe nobody can be asked' }],
        examples: [{ line: 'agent remove bob', does: 'tells what goes with it, and asks' }],
      },
      told('status', 'what it does now, and did last'),
      told('stop', 'end its turns; events wait'),
      told('start', 'undo stop'),
      told('pause', 'let events wait; people may still ask'),
      told('resume', 'undo pause'),
    ],
    examples: [
      { line: 'agent add bob --profile bob.yaml', does: 'an agent that takes turns' },
      { line: 'agent status bob', does: 'is it well, and what did it do last?' },
    ],
    exits: [
      { status: 1, when: 'no such agent' },
      { status: 2, when: 'wrong usage, you said no' },
    ],
    load: async (): Promise<Verb> => (await import('../agent/verb.ts')).runAgentVerb,
  },
  {
    name: 'chat',
    group: 'Agents',
    summary: 'talk to an agent',
    usage: [
      'chat AGENT [-m TEXT [--json]] [--session NAME] [--new]',
      'chat [--profile FILE] [-m TEXT] [--session NAME] [--new] [--cwd DIR]',
    ],
    takes: 'talker',
    about: [
      'In the chat, /help shows what can be typed, /history what was said.',
      'In a pipe, every line is a message; with -m - all of it is one.',
      'Without an agent and --profile you choose of those that are known.',
      'Ctrl-C ends the turn. Ctrl-D leaves: a turn of an agent in the daemon goes on.',
    ],
    flags: [
      { name: 'agent', value: 'ID', takes: 'talker', summary: 'one of the daemon: its turns go on when you leave' },
      { name: 'profile', value: 'FILE', takes: 'file', summary: 'how the agent is run; string bridge init writes one' },
      {
        name: 'message',
        short: 'm',
        value: 'TEXT',
        takes: 'text',
        summary: 'say this alone (-: standard input), show the answer, end',
      },
      ...SESSION_FLAGS,
      { name: 'cwd', value: 'DIR', takes: 'folder', summary: 'where the agent runs, whatever its profile says' },
      { name: 'json', summary: 'with -m, what came of it as data' },
    ],
    ownFlags: true,
    examples: [
      { line: 'chat bob', does: 'go on where you were' },
      { line: 'chat --profile ./bob.yaml --new', does: 'try a profile, from the beginning' },
    ],
    load: async (): Promise<Verb> => (await import('../bridge-verbs.ts')).runChatVerb,
  },
  {
    name: 'turns',
    group: 'Agents',
    summary: 'what agents did, what failed; turn ID shows one',
    usage: ['turns [AGENT] [--failed | --state STATE] [--since WHEN] [--limit N]', 'turns [AGENT] --follow'],
    takes: 'agent',
    about: [
      'The newest are last; of all agents, or of one. A message that was refused is',
      'no turn: string logs [AGENT] --failed has it.',
    ],
    flags: [
      { name: 'failed', summary: 'only those that failed' },
      { name: 'state', value: 'STATE', takes: TURN_STATES, summary: 'only those in it, such as queued' },
      SINCE,
      { name: 'session', value: 'NAME', takes: 'session', summary: 'of one conversation' },
      {
        name: 'limit',
        value: 'N',
        takes: 'text',
        summary: 'at most so many, else 50; -f --since 1s: new ones alone',
      },
      { name: 'follow', short: 'f', summary: 'also those to come, until Ctrl-C' },
    ],
    examples: [
      { line: 'turns --failed --since yesterday', does: 'what went wrong since then' },
      { line: 'turns --agent bob --follow', does: 'watch one agent work' },
    ],
    load: async (): Promise<Verb> => (await import('../turns/list.ts')).runTurnsVerb,
  },
  {
    name: 'turn',
    group: 'Agents',
    toldBy: 'turns',
    summary: 'one turn: why it failed; run it again; end it',
    usage: ['turn [show] ID', 'turn retry ID [--again] [--follow]', 'turn cancel ID'],
    takesOther: true,
    about: ['The end of an ID is enough; string turns lists them.'],
    subverbs: [
      {
        name: 'show',
        summary: 'what it did, said and cost, and why it failed',
        usage: ['turn show ID'],
        takes: 'turn',
      },
      {
        name: 'retry',
        summary: 'run one again that failed, was cancelled or cut off',
        usage: ['turn retry ID [--again] [--follow]'],
        takes: 'ended turn',
        flags: [
          { name: 'again', summary: 'also one that succeeded, or whose retry did or runs' },
          {
            name: 'follow',
            short: 'f',
            summary: 'shows its answer, and ends as chat -m does',
          },
        ],
      },
      {
        name: 'cancel',
        aliases: ['stop', 'kill', 'abort'],
        summary: 'end it',
        usage: ['turn cancel ID'],
        takes: 'open turn',
        examples: [{ line: 'turn cancel 7f3a', does: 'with every process that it started' }],
      },
    ],
    examples: [
      { line: 'turn show 7f3a', does: 'the turn whose ID ends with 7f3a' },
      { line: 'turn retry 7f3a', does: 'once more, with the same message' },
    ],
    exits: [{ status: 1, when: 'there is no such turn' }],
    load: async (): Promise<Verb> => (await import('../turns/turn.ts')).runTurnVerb,
  },
  {
    name: 'approvals',
    group: 'Agents',
    summary: 'what agents ask you; approve ID and deny ID answer',
    usage: ['approvals [AGENT] [--all | --follow]'],
    takes: 'agent',
    about: ['What waits, oldest first, with all that will run; of all agents, or of one.'],
    flags: [
      { name: 'all', summary: 'also what was decided, and by whom' },
      { name: 'follow', short: 'f', summary: 'also what is to come, until Ctrl-C' },
    ],
    examples: [
      { line: 'approvals', does: 'what waits for you' },
      { line: 'approvals --follow', does: 'be told when an agent asks' },
    ],
    load: async (): Promise<Verb> => (await import('../approvals/list.ts')).runApprovalsVerb,
  },
  {
    name: 'approve',
    group: 'Agents',
    toldBy: 'approvals',
    summary: 'say yes to what an agent asks',
    usage: ['approve ID [--note TEXT]'],
    about: ['The end of an ID is enough; string approvals lists them. The first answer', 'counts.'],
    flags: [NOTE],
    takes: 'approval',
    examples: [
      { line: 'approve 7f3a', does: 'the one whose ID ends with 7f3a' },
      { line: "approve 7f3a --note 'only this once'", does: 'with a word for the history' },
    ],
    exits: ANSWER_EXITS,
    load: async (): Promise<Verb> => (await import('../approvals/decide.ts')).runApproveVerb,
  },
  {
    name: 'deny',
    group: 'Agents',
    toldBy: 'approvals',
    summary: 'say no to what an agent asks',
    usage: ['deny ID [--note TEXT]'],
    about: ['The end of an ID is enough; string approvals lists them. The first answer', 'counts.'],
    flags: [NOTE],
    takes: 'approval',
    examples: [
      { line: 'deny 7f3a', does: 'the one whose ID ends with 7f3a' },
      { line: "deny 7f3a --note 'not in production'", does: 'with a word for the history' },
    ],
    exits: ANSWER_EXITS,
    load: async (): Promise<Verb> => (await import('../approvals/decide.ts')).runDenyVerb,
  },
  {
    name: 'usage',
    group: 'Agents',
    summary: 'what turns have cost',
    usage: ['usage [AGENT] [--by agent|session|day] [--since WHEN]'],
    takes: 'agent',
    about: [
      'In tokens (IN, OUT and both), dollars and time, as far as agents say it, else -;',
      'of all agents, or of one.',
    ],
    flags: [
      {
        name: 'by',
        value: 'WHAT',
        takes: ['agent', 'session', 'day'],
        summary: 'one row for each agent, session or day',
      },
      SINCE,
    ],
    examples: [
      { line: 'usage --by day --since 7d', does: 'the last week, day by day' },
      { line: 'usage --json', does: 'the same for programs' },
    ],
    load: async (): Promise<Verb> => (await import('../turns/usage.ts')).runUsageVerb,
  },
  {
    name: 'events',
    group: 'Agents',
    actsAlone: true,
    summary: 'what arrived for an agent',
    usage: ['events [AGENT] [--all | --follow]', 'events read ID | retry ID | ack ID…'],
    takes: 'agent',
    takesOther: true,
    about: ['Those that wait in the inbox of the agent: default, or the one that is named.'],
    subverbs: [
      {
        name: 'read',
        aliases: ['show'],
        summary: 'one of them whole',
        usage: ['events read ID'],
        takes: 'event',
      },
      {
        name: 'ack',
        summary: 'say that it is dealt with',
        usage: ['events ack ID…'],
        takes: 'pending event',
        many: true,
        examples: [{ line: 'events ack 8s0t2v4w', does: 'nobody is woken for it any more' }],
      },
      {
        name: 'retry',
        summary: 'run it again',
        usage: ['events retry ID'],
        takes: 'event',
        examples: [{ line: 'events retry 8s0t2v4w', does: 'its agent gets it once more' }],
      },
    ],
    flags: [
      { name: 'all', summary: 'those too that were acknowledged' },
      { name: 'follow', short: 'f', summary: 'those to come, until Ctrl-C' },
    ],
    examples: [
      { line: 'events read 8s0t2v4w', does: 'one event whole, by the ID that the list shows' },
      { line: 'events --follow --json', does: 'one line of JSON per event, for programs' },
    ],
    load: async (): Promise<Verb> => (await import('../agent/events.ts')).runEventsVerb,
  },
  {
    name: 'webhook',
    group: 'Agents',
    actsAlone: true,
    summary: 'where programs post events for an agent',
    usage: ['webhook [show [AGENT]]', 'webhook rotate [AGENT]'],
    about: ['The URL is a secret: who knows it may wake the agent.'],
    subverbs: [
      { name: 'show', summary: 'the URL', usage: ['webhook [show [AGENT]]'], takes: 'agent' },
      {
        name: 'rotate',
        summary: 'a new URL; the old one is refused from now on',
        usage: ['webhook rotate [AGENT]'],
        takes: 'agent',
      },
    ],
    examples: [
      { line: 'webhook show --agent bob', does: 'the URL that wakes bob' },
      { line: 'webhook rotate --agent bob', does: 'another one, when it became known' },
    ],
    load: async (): Promise<Verb> => (await import('../agent/webhook.ts')).runWebhookVerb,
  },
  {
    name: 'deliveries',
    group: 'Agents',
    summary: 'what became of messages to other channels',
    usage: ['deliveries [AGENT] [--state STATE]'],
    takes: 'agent',
    about: ['Of all agents, or of one. What waits is tried again by itself.'],
    flags: [
      {
        name: 'state',
        value: 'STATE',
        takes: ['trying', 'waiting', 'sent', 'failed'],
        summary: 'those in this state alone',
      },
    ],
    examples: [
      { line: 'deliveries --agent bob', does: 'what bob sent, and what did not arrive' },
      { line: 'deliveries --state failed --json', does: 'what is not tried again, for programs' },
    ],
    load: async (): Promise<Verb> => (await import('../agent/deliveries.ts')).runDeliveriesVerb,
  },
]
