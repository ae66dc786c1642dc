import { type Caps, LIMITS } from '@string-os/protocol'
import { WIRE_NAMES } from './wires.ts'

interface KindValues {
  readonly text: string
  /** Text of one line, and not empty. */
  readonly line: string
  /** Text that is split, or a list that is not. */
  readonly words: string | readonly string[]
  readonly texts: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly flag: boolean
  readonly seconds: number
  /** Seconds, more than none. */
  readonly timeout: number
  /** The same, up to what a person may take. */
  readonly approval: number
  readonly count: number
  /** Limits by their names. */
  readonly caps: Caps
}

/** What a key of a profile may hold. A list of words is a choice among them. */
export type Kind = keyof KindValues | readonly string[]

export interface ProfileKey {
  readonly kind: Kind
  /** What holds when the key is absent; a key without one must be there. */
  readonly fallback?: unknown
  readonly about: string
  /** Only turns in the daemon heed it. */
  readonly isForDaemon?: true
  /** It keeps an agent from something: one that is mistyped must not just fall away. */
  readonly isGuard?: true
}

/** Every key of a profile. Parser, suggestions, types and the reference page all read this table. */
export const PROFILE_KEYS = {
  command: {
    kind: 'words',
    about:
      'The program and its first arguments, split on white space (with `wire: "0.4"` not) and never given to a shell; a list is not split',
  },
  args: {
    kind: 'texts',
    fallback: [],
    about: 'Further arguments; `{{MESSAGE}}`, `{{SESSION_ID}}`, `{{SESSION_NAME}}` and `{{PROFILE_DIR}}` are replaced',
  },
  stdin: { kind: ['none', 'message'], fallback: 'none', about: 'What standard input holds before it ends' },
  cwd: {
    kind: 'text',
    fallback: null,
    about:
      'The folder of the process; a relative one starts at the profile. Without it the home of the agent in the daemon, elsewhere the folder of the caller',
  },
  env: {
    kind: 'variables',
    fallback: {},
    about:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: how a profile writes it
      'Further variables; `${NAME}` is what the file `env` of the data folder or the environment says: [keys](../bridge.md#keys-of-an-agent)',
  },
  env_allowlist: {
    kind: 'texts',
    fallback: null,
    about: 'The only variables that values of `env` may read; without it, all',
  },
  env_inherit: {
    kind: ['minimal', 'all'],
    fallback: 'minimal',
    about: 'How much of the environment of the bridge the process gets',
  },
  timeout_secs: { kind: 'timeout', fallback: 1800, about: 'How long a turn may take' },
  kill_grace_secs: {
    kind: 'seconds',
    fallback: 5,
    about:
      'Time between TERM and KILL, and how long the answer waits for programs that the agent left behind with its output',
  },
  max_reply_chars: {
    kind: 'count',
    fallback: 8000,
    about: 'Longest reply, and longest sum of partials, in characters',
  },
  truncation_suffix: { kind: 'text', fallback: '\n\n…(truncated)', about: 'Follows a reply that was cut' },
  include_stderr_in_reply: { kind: 'flag', fallback: false, about: 'Whether an error shows the end of standard error' },
  send_error_reply: { kind: 'flag', fallback: true, about: 'Whether the user is told that the agent failed' },
  streaming: { kind: 'flag', fallback: true, about: 'Whether partials are forwarded as they come' },
  session_line_prefix: { kind: 'line', fallback: 'AGENT_SESSION:', about: 'What a line with a session id begins with' },
  wire: { kind: WIRE_NAMES, fallback: '0.1', about: 'What is spoken with the process: lines of text, or of JSON' },
  permission: { kind: 'flag', fallback: false, about: 'Wire 0.4: whether the agent may ask for permission' },
  permission_policy: {
    kind: ['ask', 'allow', 'deny'],
    fallback: 'ask',
    about:
      'Wire 0.4: what a request for permission is answered; `ask` asks a person, and is a no where nobody can be asked',
  },
  executor: {
    kind: 'text',
    fallback: null,
    about: 'For the runner of the agentproc package, which has code of that name inside; here `command` is run',
  },
  wake: { kind: ['events'], fallback: null, isForDaemon: true, about: '`events` makes every event a turn' },
  chanflow: {
    kind: 'flag',
    fallback: false,
    isForDaemon: true,
    about: 'Whether blocks in the text of the agent are run',
  },
  max_steps: { kind: 'count', fallback: 25, isForDaemon: true, about: 'How often blocks are run in one turn' },
  turn_timeout_secs: {
    kind: 'timeout',
    fallback: 3600,
    isForDaemon: true,
    about: 'How long all steps of a turn may take',
  },
  primer: {
    kind: 'flag',
    fallback: true,
    isForDaemon: true,
    about: 'Whether a new session begins with a primer on blocks',
  },
  when_busy: {
    kind: ['queue', 'collect', 'interrupt', 'refuse'],
    fallback: 'queue',
    isForDaemon: true,
    about:
      'What a message does while a turn of its session runs: wait, join the one that waits, end the turn, or be refused',
  },
  placement: {
    kind: ['home', 'any'],
    fallback: 'home',
    isForDaemon: true,
    about: 'Where several nodes share a store: `any` lets every node run its turns, all of which must have its home',
  },
  limits: {
    kind: 'caps',
    fallback: {},
    isForDaemon: true,
    isGuard: true,
    about:
      'What the agent may use before turns are refused: `turns_per_hour`, `tokens_per_day`, `cost_per_day` (dollars), `minutes_per_day`',
  },
  approval_timeout_secs: {
    kind: 'approval',
    fallback: LIMITS.approvalMs / 1000,
    isForDaemon: true,
    about: 'How long a person has to answer, up to 7 days; the time of the turn does not pass meanwhile',
  },
} as const satisfies Record<string, ProfileKey>

/** Who reads a profile: keys that it does not heed are warned about. */
export type ProfileReader = 'bridge' | 'daemon'

export type KeyName = keyof typeof PROFILE_KEYS

export const KEY_NAMES: readonly string[] = Object.keys(PROFILE_KEYS)

export function isKeyName(name: string): name is KeyName {
  return Object.hasOwn(PROFILE_KEYS, name)
}

type KindValue<K> = K extends keyof KindValues ? KindValues[K] : K extends readonly (infer Word)[] ? Word : never

type Absent<R> = R extends { readonly fallback: null } ? null : never

/** What the keys hold once read: the types follow from the table. */
export type KeyValues = {
  readonly [Name in KeyName]: KindValue<(typeof PROFILE_KEYS)[Name]['kind']> | Absent<(typeof PROFILE_KEYS)[Name]>
}
