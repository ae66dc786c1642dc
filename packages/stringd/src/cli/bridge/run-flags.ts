import { type Attachment, DEFAULT_SESSION, type TurnRequest } from '@string-os/bridge'
import { isFields, LIMITS, parseJson, quoted } from '@string-os/protocol'
import { usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'

const OPTIONS = {
  profile: { type: 'string' },
  message: { type: 'string', short: 'm' },
  session: { type: 'string' },
  'session-id': { type: 'string' },
  from: { type: 'string' },
  image: { type: 'string', multiple: true },
  file: { type: 'string', multiple: true },
  attachment: { type: 'string', multiple: true },
  cwd: { type: 'string' },
  new: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const ATTACHMENT_TYPES = ['image', 'file', 'audio', 'video'] as const

/** The turn that is asked for, and how it is to be run and shown. */
export interface RunFlags extends TurnRequest {
  readonly profile: string
  readonly cwd: string | null
  readonly isNew: boolean
  readonly json: boolean
}

export function parseRunFlags(args: readonly string[]): RunFlags {
  const { values, words } = parseFlags(args, OPTIONS)
  const [extra] = words
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}; quote the message`)
  if (values.profile === undefined) throw usageError('Which agent? Give --profile FILE')
  if (values.message === undefined) throw usageError('What shall it be told? Give --message TEXT, or -m - to read it')
  return {
    profile: values.profile,
    message: values.message,
    sessionName: sessionName(values.session),
    sessionId: values['session-id'] === undefined ? null : oneLine('--session-id', values['session-id']),
    fromUser: oneLine('--from', values.from ?? ''),
    attachments: [
      ...(values.image ?? []).map((url) => ({ type: 'image', url, name: null }) as const),
      ...(values.file ?? []).map((url) => ({ type: 'file', url, name: null }) as const),
      ...(values.attachment ?? []).map(parseAttachment),
    ],
    cwd: values.cwd ?? null,
    isNew: values.new === true,
    json: values.json === true,
  }
}

/** What a conversation may be called: any short line. */
export function sessionName(text: string | undefined): string {
  if (text === undefined) return DEFAULT_SESSION
  if (text.trim() === '' || text.length > LIMITS.sessionNameChars) {
    throw usageError(`A session name has 1 to ${LIMITS.sessionNameChars} characters, not: ${quoted(text)}`)
  }
  return oneLine('--session', text)
}

function oneLine(flag: string, text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  if (/[\u0000-\u001f\u007f]/.test(text)) throw usageError(`${flag} cannot hold control characters: ${quoted(text)}`)
  return text
}

function parseAttachment(text: string): Attachment {
  const attachment = readAttachment(text)
  if (attachment !== null) return attachment
  throw usageError(
    `--attachment takes {"type":"${ATTACHMENT_TYPES.join('|')}","url":"…","name":"…"} as JSON, not: ${quoted(text)}`,
  )
}

function readAttachment(text: string): Attachment | null {
  const value = parseJson(text)
  if (!isFields(value)) return null
  const { type, url, name = null } = value
  const known = ATTACHMENT_TYPES.find((candidate) => candidate === type)
  if (known === undefined || typeof url !== 'string' || (name !== null && typeof name !== 'string')) return null
  return { type: known, url, name }
}
