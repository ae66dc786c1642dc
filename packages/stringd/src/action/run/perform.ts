import { existsSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { constants } from 'node:os'
import { join } from 'node:path'
import { type Failure, fail, LIMITS, strip } from '@string-os/protocol'
import type { ExecEnd, ExecRun } from '../../shell/shell-host.ts'
import type { WebPage } from '../../web/page.ts'
import type { SendRequest } from '../../web/request.ts'
import { shownUrl } from '../../web/target-url.ts'
import { OF_CALLER, type Script } from '../bash/fill-script.ts'
import type { Powers } from '../call/powers.ts'
import type { HttpRequest, PreparedAction } from '../call/prepare.ts'
import { type AnswerRoom, excerptOf, outputData, pageData } from './answer-data.ts'
import { parseAnswerJson } from './json.ts'
import type { Secrets } from './secrets.ts'

/** What came back: the page of a server, or the output of a command. */
export type Answered = AnsweredText &
  ({ readonly page: WebPage; readonly output: null } | ({ readonly page: null } & Pick<ExecEnd, 'output' | 'errors'>))

interface AnsweredText {
  readonly ok: true
  /** Of HTTP the status, of a command its exit status. */
  readonly status: number
  readonly text: string
  readonly bytes: Uint8Array
  /** The text, or what it says as JSON. */
  readonly body: unknown
  /** The middle of the text is left out. */
  readonly isCut: boolean
}

export interface ActionIo {
  /** The same call as a dry run, for what an error says. */
  readonly dryRun: string
  readonly send: SendRequest
  readonly exec: (run: ExecRun) => Promise<ExecEnd>
  /** A template reads the answer: of a command its standard output alone. */
  readonly isRead: boolean
  readonly execMs: number
  /** For what programs get of an answer that is an error; what it has no room for is kept. */
  readonly room: AnswerRoom
  readonly cwd: string
  readonly signal: AbortSignal
}

/** Sends the request or runs the command. What comes back may hold secrets; only what is cut is masked already. */
export function perform(
  { action, secrets }: PreparedAction,
  powers: Powers,
  io: ActionIo,
): Promise<Answered | Failure> {
  return action.kind === 'cli' ? run(action, secrets, powers, io) : request(action, secrets, powers, io)
}

async function run(
  { script, environment }: Script,
  secrets: Secrets,
  powers: Powers,
  { dryRun, exec, execMs, cwd, signal, room, isRead }: ActionIo,
): Promise<Answered | Failure> {
  const variables = new Map([...environment, ...powers.context])
  const folder = powers.folder ?? cwd
  const ran = await exec({ script, cwd: folder, variables, signal, isPrivate: secrets.size > 0, isApart: isRead })
  const { end, output, errors } = ran
  const mask = (text: string): string => secrets.mask(text)
  const printedText = (): string =>
    [output, errors].map((each) => each?.text(LIMITS.errorBytes, mask).trimEnd() ?? '').join('\n')
  const failed = (code: 'ACTION_FAILED' | 'TIMEOUT', reason: string, ...next: [string, ...string[]]): Failure => ({
    ...withOutput(fail(code, reason, ...next), strip(printedText(), '\n')),
    data: outputData(end.kind === 'exited' ? end.status : null, output.excerpt(room.shownBytes, mask), {
      errors: errorsText(errors, secrets),
    }),
  })
  switch (end.kind) {
    case 'timeout':
      return failed(
        'TIMEOUT',
        `The command took longer than ${Math.round(execMs / 100) / 10} s and was ended`,
        `For longer work run it in a bash topic; ${dryRun} shows it`,
      )
    case 'cancelled':
      return fail('CANCELLED', 'The topic was closed before the command ended', 'Call it again in a new session')
    case 'failed':
      return fail(
        'ACTION_FAILED',
        `The command could not be started in ${folder}: ${end.reason}`,
        end.next ?? 'Check that the folder is there and can be entered; /ls lists it',
      )
    case 'exited':
      if (end.status === 0) return printed(ran)
      return failed(
        'ACTION_FAILED',
        `The command ended with status ${end.status}${signalOf(end.status)}`,
        `${dryRun} shows the command as it is run`,
        ...(folder === cwd ? [] : leftBehind({ script, environment }, { folder, cwd })),
      )
  }
}

/** A shell says with a status above 128 that a signal ended what it ran. */
function signalOf(status: number): string {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === status - 128) ?? []
  return name === undefined ? '' : ` (128 + ${status - 128}, as ${name} leaves it)`
}

/** A path that means a file where the caller is, and none where the command ran. */
function leftBehind(
  { script, environment }: Pick<Script, 'script' | 'environment'>,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): readonly string[] {
  const isName = (value: string): boolean => /^[^/~\0\n][^\0\n]{0,1000}$/.test(value)
  // Where a script that goes elsewhere looks is not known.
  const given = /\bcd\b/.test(script) ? [] : [...environment].filter(([name]) => name.startsWith(OF_CALLER))
  const path = given
    .map(([, value]) => value)
    .find((value) => isName(value) && existsSync(join(cwd, value)) && !existsSync(join(folder, value)))
  if (path === undefined) return []
  const whole = join(cwd, path)
  return [
    `The command ran in ${folder}, where there is no ${path}: give the whole path, ${whole}`,
    'Its author can begin it with cd "$STRING_CWD" && …',
  ]
}

/** As much of it as is shown beside an answer; null where it is a part of the output. */
export function errorsText(errors: ExecEnd['errors'], secrets: Secrets): string | null {
  return errors?.text(LIMITS.errorBytes, (text) => secrets.mask(text)).trimEnd() ?? null
}

function printed({ output, errors }: ExecEnd): Answered {
  const { text, isCut } = output.excerpt(LIMITS.shellOutputBytes)
  return {
    ok: true,
    status: 0,
    text,
    bytes: Buffer.from(text),
    body: parseAnswerJson(text) ?? text,
    isCut,
    page: null,
    output,
    errors,
  }
}

async function request(
  { method, url, headers, body }: HttpRequest,
  secrets: Secrets,
  { origin, kind }: Powers,
  { dryRun, send, signal, room }: ActionIo,
): Promise<Answered | Failure> {
  const bytes = body === null ? null : Buffer.from(body)
  const answer = await send({ method, url, headers, body: bytes, from: origin, signal, readErrors: true })
  if (!answer.ok) return asAction(answer, kind)
  const { status, page } = answer
  const { text } = page
  if (status < 200 || status > 299) {
    const reason = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
    const failure = fail(
      'ACTION_FAILED',
      `${method} ${shownUrl(new URL(page.url))} answered ${reason}`,
      afterStatus(status, dryRun),
    )
    const keep = once(room.keep)
    const shown = excerptOf(text, secrets, { shownBytes: LIMITS.errorBytes, keep })
    const data = pageData(status, page, secrets, { ...room, keep })
    return { ...withOutput(failure, shown.text), data }
  }
  return {
    ok: true,
    status,
    text,
    bytes: page.bytes,
    body: parseAnswerJson(text) ?? text,
    isCut: false,
    page,
    output: null,
  }
}

/** What to do about an answer that is an error. */
function afterStatus(status: number, dryRun: string): string {
  const shows = `${dryRun} shows the request as it is sent`
  if (status === 401 || status === 403)
    return `Check the credentials that it uses: /set lists the stored variables, /set $NAME = "…" sets one; ${shows}`
  if (status === 429 || status >= 500) return 'Try again later'
  return `Check the values; ${shows}`
}

/** Where no request may go is a question of powers for a page; for everyone else the address is wrong. */
function asAction(failure: Failure, kind: Powers['kind']): Failure {
  if (failure.code === 'INVALID_TARGET' && kind === 'page')
    return fail('ACTION_FORBIDDEN', failure.system, 'Save the page as a file of the workspace, or /install it')
  if (failure.code === 'TOO_LARGE')
    return {
      ...failure,
      system: failure.system.replace(/^The page /, 'The answer '),
      hints: ['Ask the service for less: many take a limit or the number of a page, which a field can say'],
    }
  return failure.code === 'LOAD_ERROR' ? { ...failure, code: 'ACTION_FAILED' } : failure
}

/** An error with what was printed or answered, as lines under it. */
export function withOutput(failure: Failure, output: string): Failure {
  const text = output.trimEnd()
  return text === '' ? failure : { ...failure, hints: [...text.split('\n'), ...failure.hints] }
}

/** One text is kept once, however often it is cut. */
function once(keep: AnswerRoom['keep']): AnswerRoom['keep'] {
  let kept: ReturnType<AnswerRoom['keep']> | null = null
  return (text) => {
    kept ??= keep(text)
    return kept
  }
}
