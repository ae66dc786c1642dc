import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { fillIn, type PlaceholderValues } from './argv.ts'
import { beginning } from './lines.ts'
import type { Profile } from './profile.ts'
import type { Attachment, TurnOptions, TurnRequest } from './turn.ts'

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

const INHERITED = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TMPDIR|TZ)$/
const VARIABLE = /\$\{([A-Za-z_]\w*)\}/

/** What the placeholders of a profile stand for in this turn. */
export function placeholderValues(profile: Profile, request: TurnRequest): PlaceholderValues {
  return {
    MESSAGE: request.message,
    SESSION_ID: request.sessionId ?? '',
    SESSION_NAME: request.sessionName,
    PROFILE_DIR: dirname(profile.path),
  }
}

/** What the process gets of the environment of the bridge. */
export function inheritedVariables({ envInherit }: Profile, environment: ProcessEnvironment): Record<string, string> {
  const isWanted = (name: string): boolean => (envInherit === 'all' ? !name.startsWith('AGENT_') : INHERITED.test(name))
  // By name first: where the environment is that of Node itself, every value costs a call.
  const wanted = Object.keys(environment).filter(isWanted)
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/**
 * The variables that the profile adds. `${NAME}` and placeholders are replaced in one pass over the text of the profile,
 * so that a message can never read a variable. Names with AGENT_ belong to the bridge.
 */
export function profileVariables(
  { env, envAllowlist }: Profile,
  { environment, howToSet = inEnvironment }: Pick<TurnOptions, 'environment' | 'howToSet'>,
  values: PlaceholderValues,
  warn: (text: string) => void,
): Record<string, string> {
  const read = (variable: string, name: string): string => {
    const isAllowed = envAllowlist === null || envAllowlist.includes(variable)
    const value = isAllowed ? environment[variable] : undefined
    if (value !== undefined) {
      if (IN_QUOTES.test(value)) warn(inQuotes(variable, name))
      return value
    }
    const why = isAllowed ? 'is not set' : 'is not in `env_allowlist`'
    const next = isAllowed ? howToSet(variable) : `Add ${variable} to \`env_allowlist\``
    warn(`\${${variable}} in the key \`env\` ${why}, so ${name} holds nothing in its place. ${next}`)
    return ''
  }
  const expand = (name: string, text: string): string =>
    pieces(text)
      .map((piece) => (piece.isVariable ? read(piece.text, name) : fillIn(piece.text, values)))
      .join('')
  return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, expand(name, text)]))
}

/** The names of all variables whose values go into those of the profile. */
export function referredVariables({ env }: Profile): string[] {
  return Object.values(env).flatMap((text) => pieces(text).flatMap((piece) => (piece.isVariable ? [piece.text] : [])))
}

/** The text cut at every `${NAME}`: at odd places the names. */
function pieces(text: string): { text: string; isVariable: boolean }[] {
  return text.split(VARIABLE).map((piece, index) => ({ text: piece, isVariable: index % 2 === 1 }))
}

const IN_QUOTES = /^(["']).+\1$/s

function inQuotes(variable: string, name: string): string {
  return `\${${variable}} in the key \`env\` has quotes at both ends, which ${name} gets as well. Leave them out where it is set`
}

/** Values in which a shell would put a variable, and nobody does here. */
export function unreadVariables({ env }: Profile): string[] {
  return Object.entries(env).flatMap(([name, text]) => {
    const plain = pieces(text).flatMap((piece) => (piece.isVariable ? [] : [piece.text]))
    const [[written, braced, bare] = []] = plain.flatMap((piece) => {
      const found = SHELL_VARIABLE.exec(piece)
      return found === null ? [] : [found]
    })
    const gets = `is no variable here, and ${name} gets it as it stands`
    return written === undefined ? [] : [`${written} in the key \`env\` ${gets}. Write \${${braced ?? bare}}`]
  })
}

const SHELL_VARIABLE = /\$(?:\{([A-Za-z_]\w*)[^}]*\}|([A-Za-z_]\w*))/

function inEnvironment(variable: string): string {
  return `Set ${variable} in the environment`
}

/** The variables that tell an agent of its turn. Those without a value are absent, but for the session id. */
export function agentVariables(
  profile: Profile,
  request: TurnRequest,
  environment: ProcessEnvironment,
): Record<string, string> {
  return {
    ...messageVariables(request.message),
    AGENT_SESSION_ID: request.sessionId ?? '',
    AGENT_SESSION_NAME: request.sessionName,
    AGENT_FROM_USER: request.fromUser === '' ? systemUser(environment) : request.fromUser,
    AGENT_STREAMING: profile.streaming ? '1' : '0',
    AGENT_PROTOCOL_VERSION: profile.wire,
    ...attachmentVariables(request.attachments),
  }
}

/** A message that is too large for a variable is there with its beginning; whole it goes to standard input. */
function messageVariables(message: string): Record<string, string> {
  const room = LIMITS.agentStringBytes - 'AGENT_MESSAGE=\0'.length
  if (Buffer.byteLength(message) <= room) return { AGENT_MESSAGE: message }
  return { AGENT_MESSAGE: beginning(Buffer.from(message), room), AGENT_MESSAGE_TRUNCATED: '1' }
}

function attachmentVariables(attachments: readonly Attachment[]): Record<string, string> {
  if (attachments.length === 0) return {}
  const all = attachments.map(({ type, url, name }) => ({ type, url, name }))
  return {
    ...single(attachments, 'image', 'AGENT_IMAGE_URL'),
    ...single(attachments, 'file', 'AGENT_FILE_URL'),
    AGENT_ATTACHMENTS: JSON.stringify(all),
  }
}

function single(attachments: readonly Attachment[], type: Attachment['type'], name: string): Record<string, string> {
  const [first, second] = attachments.filter((each) => each.type === type)
  return first !== undefined && second === undefined ? { [name]: first.url } : {}
}

function systemUser(environment: ProcessEnvironment): string {
  try {
    return environment.USER ?? environment.LOGNAME ?? userInfo().username
  } catch {
    // A user id without a name.
    return 'user'
  }
}
