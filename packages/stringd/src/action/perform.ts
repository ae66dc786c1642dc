import { STATUS_CODES } from 'node:http'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import type { OneShotEnd } from '../shell/one-shot.ts'
import type { ExecRun } from '../shell/shell-host.ts'
import type { Page } from '../web/page.ts'
import type { SendRequest } from '../web/request.ts'
import { shownUrl } from '../web/target-url.ts'
import { parseJson } from './json.ts'
import type { Powers } from './powers.ts'
import type { HttpRequest, Prepared } from './prepare.ts'
import type { Script } from './script/fill-script.ts'
import type { Secrets } from './secrets.ts'

/** What came back. */
export interface Answered {
  readonly ok: true
  /** Of HTTP the status, of a command its exit status. */
  readonly status: number
  readonly text: string
  readonly bytes: Uint8Array
  /** The text, or what it says as JSON. */
  readonly body: unknown
  /** Of HTTP; null for a command. */
  readonly page: Page | null
}

export interface ActionIo {
  readonly send: SendRequest
  readonly exec: (run: ExecRun) => Promise<{ end: OneShotEnd; output: string }>
  readonly execMs: number
  readonly cwd: string
  readonly signal: AbortSignal
}

/** Sends the request or runs the command. What comes back may hold secrets; only what is cut is masked already. */
export function perform({ action, secrets }: Prepared, powers: Powers, io: ActionIo): Promise<Answered | Failure> {
  return action.kind === 'cli' ? run(action, secrets, powers, io) : request(action, secrets, powers, io)
}

/** The start and the end of a text that is too long to be shown. */
export function shorten(text: string, limitChars: number): string {
  // Room for the note of a shell that has cut it already.
  if (text.length <= limitChars + 200) return text
  const half = Math.floor(limitChars / 2)
  const left = text.length - 2 * half
  return `${text.slice(0, half).toWellFormed()}\n… ${left} characters left out …\n${text.slice(-half).toWellFormed()}`
}

async function run(
  { script, environment }: Script,
  secrets: Secrets,
  powers: Powers,
  { exec, execMs, cwd, signal }: ActionIo,
): Promise<Answered | Failure> {
  const variables = new Map([...environment, ...powers.context])
  const folder = powers.folder ?? cwd
  const { end, output } = await exec({ script, cwd: folder, variables, signal, isPrivate: secrets.size > 0 })
  switch (end.kind) {
    case 'timeout':
      return withOutput(
        fail('ACTION_FAILED', `The command took longer than ${execMs / 1000} s and was ended`),
        secrets.mask(output),
      )
    case 'cancelled':
      return fail('CANCELLED', 'The topic was closed before the command ended')
    case 'failed':
      return fail('ACTION_FAILED', `The command could not be started in ${folder}: ${end.reason}`)
    case 'exited':
      if (end.status !== 0)
        return withOutput(fail('ACTION_FAILED', `The command ended with status ${end.status}`), secrets.mask(output))
      return {
        ok: true,
        status: 0,
        text: output,
        bytes: Buffer.from(output),
        body: parseJson(output) ?? output,
        page: null,
      }
  }
}

async function request(
  { method, url, headers, body }: HttpRequest,
  secrets: Secrets,
  { origin, kind }: Powers,
  { send, signal }: ActionIo,
): Promise<Answered | Failure> {
  const bytes = body === null ? null : Buffer.from(body)
  const answer = await send({ method, url, headers, body: bytes, from: origin, signal, readErrors: true })
  if (!answer.ok) return asAction(answer, kind)
  const { status, page } = answer
  const { text } = page
  if (status < 200 || status > 299) {
    const reason = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
    return withOutput(
      fail('ACTION_FAILED', `${method} ${shownUrl(new URL(page.url))} answered ${reason}`),
      secrets.mask(text),
    )
  }
  const parsed = page.kind === 'json' || page.kind === 'text' ? parseJson(text) : undefined
  return { ok: true, status, text, bytes: page.bytes, body: parsed ?? text, page }
}

/** Where no request may go is a question of powers for a page; for everyone else the address is wrong. */
function asAction(failure: Failure, kind: Powers['kind']): Failure {
  if (failure.code === 'INVALID_TARGET' && kind === 'page') return fail('ACTION_FORBIDDEN', failure.system)
  return failure.code === 'LOAD_ERROR' ? { ...failure, code: 'ACTION_FAILED' } : failure
}

/** An error with what was printed or answered, as lines under it. */
function withOutput(failure: Failure, output: string): Failure {
  const lines = shorten(output.trimEnd(), LIMITS.actionErrorChars).split('\n')
  return { ...failure, hints: output.trim() === '' ? failure.hints : [...failure.hints, ...lines] }
}
