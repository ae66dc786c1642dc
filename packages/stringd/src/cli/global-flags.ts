import type { FlagText } from './verb-row.ts'

/** Flags of `string` itself, which every verb and every command takes. */
export const GLOBAL_FLAGS: readonly FlagText[] = [
  { name: 'topic', value: 'TOPIC', takes: 'topic', summary: 'the topic, also when it is called like a verb' },
  { name: 'agent', value: 'ID', takes: 'agent', summary: 'the agent to speak for (STRING_AGENT, else default)' },
  { name: 'create', summary: 'make that agent when there is none' },
  { name: 'cwd', value: 'DIR', takes: 'folder', summary: 'where ./ starts, instead of the working directory' },
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
  },
  { name: 'json', summary: 'data for programs, in the shapes of docs/reference/json.md' },
  { name: 'plain', summary: 'the answer without its envelope' },
  { name: 'no-pager', summary: 'at the prompt, long answers are not shown screen by screen' },
  { name: 'version', short: 'v', summary: 'which version this is' },
  { name: 'help', short: 'h', summary: 'this, or how a verb is used' },
]
