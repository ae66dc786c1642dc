import type { FlagText } from './verb-row.ts'

export interface GlobalFlag extends FlagText {
  /** It says something about a command in a topic: behind a verb it stands only where its usage has it. */
  readonly ofCommands?: true
}

/** Flags of `string` itself, which every command takes, and every verb but those of commands. */
export const GLOBAL_FLAGS: readonly GlobalFlag[] = [
  {
    name: 'topic',
    value: 'TOPIC',
    takes: 'topic',
    summary: 'the topic, also when it is called like a verb',
    ofCommands: true,
  },
  { name: 'agent', value: 'ID', takes: 'agent', summary: 'the agent to speak for (STRING_AGENT, else default)' },
  { name: 'create', summary: 'make that agent when there is none', ofCommands: true },
  {
    name: 'cwd',
    value: 'DIR',
    takes: 'folder',
    summary: 'where ./ starts, instead of the working directory',
    ofCommands: true,
  },
  {
    name: 'port',
    value: 'N',
    takes: 'text',
    summary: "the daemon's port (STRING_PORT, else the running one's, else 3923)",
  },
  {
    name: 'wait',
    value: 'SECONDS',
    takes: 'text',
    summary: 'after how long a bash topic answers running (30 without it)',
    ofCommands: true,
  },
  { name: 'json', summary: 'data for programs, in the shapes of docs/reference/json.md' },
  { name: 'plain', summary: 'the answer without its envelope' },
  { name: 'no-pager', summary: 'at the prompt, long answers are not shown screen by screen', ofCommands: true },
  { name: 'version', short: 'v', summary: 'which version this is', ofCommands: true },
  { name: 'help', short: 'h', summary: 'this, or how a verb is used' },
]
