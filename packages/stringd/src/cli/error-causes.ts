import type { ERROR_CODES } from '@string-os/protocol'

export interface Help {
  /** Why it comes, as somebody who meets it would say. */
  readonly cause: string
  /** What to type or do now. */
  readonly next: string
}

/** Every code of `protocol/src/codes.ts`: a new one does not compile without its row here. */
export const CAUSES: Readonly<Record<keyof typeof ERROR_CODES, Help>> = {
  NOT_FOUND: {
    cause: 'A mistyped path, another working directory than you think, an app that is not installed',
    next: '`/ls` shows the folder, `/find NAME --files` looks for it, `/info` says where `./` is, `/open app` lists apps',
  },
  BLOCK_NOT_FOUND: {
    cause: 'The document has no block or heading of that name, or was changed since',
    next: '`/open FILE --outline` lists its headings and blocks',
  },
  ACTION_NOT_FOUND: {
    cause: 'The open document declares no such action, nor does the first page of the app',
    next: '`/act` lists the actions here, `/info` says which document is open',
  },
  COMMAND_UNSUPPORTED: {
    cause: 'Text without a leading slash in a topic that takes commands, or a command that this kind of topic has not',
    next: 'Begin with `/`; shell lines go into a topic `bash:NAME`, where commands begin with `//`',
  },
  COMMAND_UNKNOWN: {
    cause: 'A mistyped command',
    next: '`/help` lists all of them; the answer names one that is near',
  },
  USAGE: {
    cause: 'An argument or a body is missing, or stands where none is taken',
    next: '`/help COMMAND` shows its usage and examples; a body stands on the lines below the command',
  },
  INVALID_PARAMS: {
    cause: 'A flag or argument that the command or action does not take, or a value of the wrong type',
    next: '`/help COMMAND`, or `/act.NAME --help` for the fields of an action',
  },
  INVALID_PATH: {
    cause:
      'The path leaves the workspace, passes a link that leads out, or lies in the data folder of String or in `.string` of a home',
    next: '`string agent allow ID DIR` opens a further folder to an agent; paths start with `./`, `~/` or `/`',
  },
  INVALID_TARGET: {
    cause: 'Something that is no path, block, shortcut, address or topic',
    next: '`/help open` lists what a target may be; topics are `NAME` (or `file:NAME`, the same), `bash:NAME`, `app:NAME[:CONFIG]`, `web:NAME`',
  },
  INVALID_VARIABLE: {
    cause: 'A variable name with other characters than letters, digits and `_`, or one that is not set here',
    next: '`/help set` shows both kinds: `{name}` of the session and `$NAME`, which is stored',
  },
  UNDEFINED_VARIABLE: {
    cause: '`{name}` stands in a command, and the session has no such variable',
    next: '`/set` lists them, `/set {name} = "value"` makes one; with `/find` search `[{]name}` and `--regex`',
  },
  ENV_REQUIRED: {
    cause:
      'An action needs `$NAME`, which is not stored, not listed under `env`, or not given to a file that is not installed',
    next: '`/set $NAME = "value"` in `app:NAME`; a file of the workspace gets none until it is installed',
  },
  LINE_OUT_OF_RANGE: { cause: 'The file is shorter than that', next: '`/edit FILE` shows it with its line numbers' },
  AMBIGUOUS: {
    cause: '`/replace` was given a text that stands several times in the file',
    next: 'Give more of the text around it, `FILE:L10`, or `--all` for every place',
  },
  CONFLICT: {
    cause: 'The file was changed by somebody else after this topic read it, or another package has the name',
    next: '`/refresh` and look; then `--force` overwrites, `/install --as NAME` or `--replace` decides',
  },
  NO_HISTORY: { cause: '`/back` in a topic that has opened one document at most', next: '`/open TARGET`' },
  NOTHING_TO_UNDO: {
    cause: 'The topic has made no edit, or its one step was taken back already',
    next: '`/edit FILE` shows the file as it is; git has older versions',
  },
  NO_DOCUMENT: { cause: 'The command works on the open document, and none is', next: '`/open TARGET` first' },
  NOT_TEXT: {
    cause: 'A picture, an archive or another binary file',
    next: '`/open FILE` describes it; `/exec` runs a program that reads it',
  },
  TOO_LARGE: {
    cause: 'A file, page, package or answer over its limit',
    next: '`/open FILE:L1-L200` reads lines of a text file of any size, `/exec` changes one; the limits are in [reference/limits.md](reference/limits.md)',
  },
  LOAD_ERROR: {
    cause: 'No permission, no space, a server that does not answer or answers with an error',
    next: 'The answer says which; `/exec ls -l FILE` shows who may, a page can be tried again later',
  },
  AUTH_REQUIRED: {
    cause: 'The page wants a login (401)',
    next: 'Pages with a login cannot be opened; an action of an installed app can send a key (`env`)',
  },
  ACTION_FAILED: {
    cause: 'The service answered with an error, or the answer was not as the action expects',
    next: 'The content has what came back; `/act.NAME --dry-run …` shows the request without sending it',
  },
  ACTION_FORBIDDEN: {
    cause: 'A page from the web wanted to run a command or to touch a file',
    next: 'Save it as a file and read it, or `/install` it: [apps.md](apps.md#what-a-document-may-do)',
  },
  TIMEOUT: {
    cause: 'A command, page, package or agent took longer than it may',
    next: 'Long work goes into a topic `bash:NAME`, which goes on by itself; `timeout_secs` is for agents',
  },
  BUSY: {
    cause:
      'Another command runs in this topic, and the caller does not wait (MCP, `run` of a client, `at_prompt`); an agent that takes one turn at a time',
    next: 'Use another topic, wait, or end it: `string stop TOPIC`',
  },
  BLOCK_UNCLOSED: {
    cause: 'A ChanFlow block has no `</𝒞>`',
    next: 'Close it, and send that block again: it did not run',
  },
  BLOCK_IGNORED: {
    cause: 'A tag in a code fence or with an ordinary C, where a command was meant',
    next: 'Write the tag with 𝒞 (U+1D49E) at the start of a line, outside of fences',
  },
  CHANNEL_UNKNOWN: {
    cause: 'No channel of that name is configured',
    next: 'A person adds it to `channels.yaml`: [channels.md](channels.md)',
  },
  TARGET_FORBIDDEN: {
    cause: 'The channel does not allow that address or name',
    next: 'A person adds it to `allow` or `targets` in `channels.yaml`',
  },
  DELIVERY_FAILED: {
    cause: 'The server refused the message for good, or its channel has a mistake',
    next: '`string deliveries` has the reason; mend the channel and send it again',
  },
  QUEUE_FULL: {
    cause: 'Five commands wait in the topic, or five messages in the session',
    next: 'It did not run: the answer says what runs there. `string stop TOPIC` ends a command, `string turn cancel ID` the turn of an agent (`string turns AGENT`); else use another topic or session',
  },
  QUEUE_TIMEOUT: {
    cause: 'What runs in the topic took longer than 120 s',
    next: 'It did not run: `string stop TOPIC` ends what runs; use a topic of its own for long work',
  },
  CANCELLED: {
    cause: 'Ctrl-C, `string stop`, a closed topic, a removed agent, or a daemon that was stopped',
    next: 'Send it again when that was not meant; what it had done is done',
  },
  STORE_AWAY: {
    cause: 'The database cannot be reached, or the disk failed',
    next: '`string store check` says why; it goes on by itself when the store is back: [store.md](store.md#when-the-database-is-away)',
  },
  LIMIT_REACHED: {
    cause: 'As many topics, agents, variables or pages as there may be, or a cap on an agent’s turns',
    next: 'The answer names the limit: `/close` ends a topic, `limits` in the profile sets the caps',
  },
  MAX_STEPS: {
    cause: 'An agent wrote blocks in every round until its steps were used up',
    next: '`string turn show ID` shows the rounds; `max_steps` in its profile allows more',
  },
  INTERNAL_ERROR: {
    cause: 'A fault of String itself',
    next: 'The log has it under the id in the answer (`daemon.log` in the data folder); please report it',
  },
}

/** The code of a shell command that failed has its status as n. */
export const EXIT_N = {
  tells: 'A shell command ended with status n; its output is the content, for programs `data.output`',
  cause:
    'The program says it in its output. 126: it may not be run, 127: it is not there, 130 and 143: it was interrupted',
  next: 'Read the output; `/exec` and `bash:NAME` run in the folder that the first line names',
}

/** How a turn of an agent can fail, beside the codes above. */
export const TURN_ERRORS: Readonly<
  Record<'AGENT_ERROR' | 'NO_PROFILE' | 'EXIT_<n>' | 'TIMEOUT' | 'CANCELLED' | 'LIMIT_REACHED', Help>
> = {
  AGENT_ERROR: {
    cause: 'The agent itself said that it failed',
    next: '`string turn show ID` has its words and the end of its standard error',
  },
  NO_PROFILE: {
    cause:
      'The agent has no profile, or one with a mistake; or `config.yaml` of the data folder has one, for every agent',
    next: '`string agent status ID` says what is wrong; `string bridge check FILE` checks one',
  },
  'EXIT_<n>': {
    cause: 'The agent’s program ended with status n (127: it is not there, 126: it may not be run)',
    next: '`string turn show ID` has its standard error; `string turn retry ID` runs it again',
  },
  TIMEOUT: {
    cause: 'The turn ran longer than `timeout_secs` or `turn_timeout_secs`',
    next: 'Raise it in the profile, and retry',
  },
  CANCELLED: {
    cause:
      'It was cancelled by hand, its agent was stopped, or a newer message took its place (`when_busy: interrupt`): its error says which; or the daemon was stopped or died while it ran (then it is `interrupted`)',
    next: '`string turn retry ID` runs it again',
  },
  LIMIT_REACHED: {
    cause: 'A cap of the agent’s profile (`limits`) is used up; nothing ran',
    next: '`string agent status ID` tells which, and until when; raise it in the profile, or wait',
  },
}
