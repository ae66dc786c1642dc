import {
  count,
  type Data,
  type Failure,
  fail,
  LIMITS,
  listNames,
  nearest,
  ok,
  type Result,
  type Success,
  stripEnd,
  visibleText,
} from '@string-os/protocol'
import { type CallArguments, missingField, needsField, readCall } from '../../action/call/arguments.ts'
import type { Powers } from '../../action/call/powers.ts'
import { type PreparedAction, prepare } from '../../action/call/prepare.ts'
import type { Compiled } from '../../action/declare/compile.ts'
import type { Declaration } from '../../action/declare/declaration.ts'
import { effectsOf, writtenFiles } from '../../action/declare/effects.ts'
import { actionSchema, isNeeded, UNSAFE } from '../../action/declare/schema.ts'
import { schemaData } from '../../action/declare/schema-data.ts'
import { type AnswerRoom, excerptOf, outputData, pageData } from '../../action/run/answer-data.ts'
import { knownSaves, namesInFiles } from '../../action/run/file-names.ts'
import { isJson, isTooWide, jsonFaultAt, prettyJson } from '../../action/run/json.ts'
import { type ActionIo, type Answered, errorsText, perform, withOutput } from '../../action/run/perform.ts'
import { type LookUp, type Outcome, pathsOf, runResponse } from '../../action/run/response.ts'
import {
  needsWhole,
  parseResponse,
  type ResponseTemplate,
  type Save,
  takesApart,
} from '../../action/run/response-template.ts'
import type { Secrets } from '../../action/run/secrets.ts'
import type { PageAction } from '../../document/page.ts'
import type { Base } from '../../library/address.ts'
import type { CommandContext } from '../core/context.ts'
import { FIRST_PAGE, showDocument } from '../read/view.ts'
import { splitCall, stem, wordReader } from './action-words.ts'
import { includedFile, templateIn } from './describe-action.ts'

export interface ActionCall {
  readonly action: PageAction<Base>
  /** Everything behind the name, as it was typed. */
  readonly line: string
  readonly powers: Powers
  /** How a usage line names it, where that is not `/act.ID`. */
  readonly called?: string
}

/** Runs an action of a document with the powers that the document has. */
export async function runAction(call: ActionCall, context: CommandContext): Promise<Result> {
  const read = await readAction(call, context)
  if (!read.ok) return read
  const { compiled, parsed, isEmpty } = read
  const { declaration } = compiled
  if (parsed.help) return schemaOf(declaration, call)
  const lacking = missingField(declaration, parsed)
  if (lacking !== null && isEmpty) return notRun(declaration, call)
  if (lacking !== null) return needsField(declaration, lacking)
  const template = templateOf(call)
  if (template !== null && !template.ok) return template
  const inFiles = template === null ? new Set<string>() : namesInFiles(template.nodes)
  const unknown = unknownFile(declaration, inFiles, context)
  if (unknown !== null) return unknown
  const prepared = prepare(compiled, parsed, call.powers, inFiles)
  if (!prepared.ok) return prepared
  const ready = { declaration, parsed, prepared, template }
  const targets = targetsOf(ready, call.powers, context)
  if (!targets.ok) return prepared.secrets.sealed(targets)
  const answer = parsed.dryRun ? dryRun(ready, targets.paths) : await runPrepared(call, ready, context)
  return prepared.secrets.sealed(answer)
}

interface ReadyCall {
  readonly declaration: Declaration
  readonly parsed: CallArguments
  readonly prepared: PreparedAction
  readonly template: ResponseTemplate | null
}

/** The files that it will write, as far as nothing of the answer decides it. Behind a request that was made it would be late to refuse them. */
function targetsOf(
  { declaration, parsed, prepared, template }: ReadyCall,
  { files }: Powers,
  context: CommandContext,
): ReturnType<typeof pathsOf> {
  if (template === null || files === null) return { ok: true, paths: new Map() }
  const found = pathsOf(knownSaves(template.nodes), lookUp(parsed, prepared, context), fieldNames(declaration))
  if (!found.ok) return found
  const refusals = [...found.paths.values()].map((path) => files.refused(prepared.secrets.mask(path)))
  return refusals.find((refusal) => refusal !== null) ?? found
}

function fieldNames({ fields }: Declaration): ReadonlySet<string> {
  return new Set(fields.map(({ name }) => name))
}

/** What comes of it may still hold secrets. */
async function runPrepared(
  call: ActionCall,
  { declaration, parsed, prepared, template }: ReadyCall,
  context: CommandContext,
): Promise<Result> {
  const io = { ...ioOf(dryRunOf(declaration, call), context), isRead: template !== null }
  const answered = await perform(prepared, call.powers, io)
  if (!answered.ok) return answered
  if (template === null)
    return afterwards(prepared, await showAnswer(declaration.id, prepared, answered, call.powers, context))
  const result =
    answered.isCut && needsWhole(template)
      ? tooMuch(answered)
      : await runTemplate(call, { declaration, parsed, prepared, template }, answered, context)
  const errors = answered.page === null ? errorsText(answered.errors, prepared.secrets) : null
  const data = dataBehind(answered, prepared.secrets, { shownBytes: context.shell.shownBytes, errors })
  return { ...withErrors(afterwards(prepared, result), errors ?? ''), data }
}

/** Whatever fails from here on, what was asked for is done: who calls again should know that. */
function afterwards({ action }: PreparedAction, result: Result): Result {
  if (result.ok) return result
  const done =
    action.kind === 'cli'
      ? 'The command has run: another call runs it again'
      : 'The request was made: another call makes it again'
  return { ...result, hints: [...result.hints, done] }
}

/** Of a half nothing can be taken: JSON would be none, and a file not what its name says. */
function tooMuch({ bytes }: Answered): Failure {
  return fail(
    'ACTION_FAILED',
    `The command printed more than the ${LIMITS.shellOutputBytes / 1024} KiB that a response reads; ${bytes.length} bytes of it are here`,
    'Let it print less, as a page of a list or fewer fields, or write to a file itself',
  )
}

/** What a command had to say beside the answer that a template reads; indented, it stays as it is where a page is laid out. */
function withErrors(result: Result, errors: string): Result {
  if (errors === '') return result
  const lines = ['Standard error:', ...errors.split('\n').map((line) => `    ${line}`.trimEnd())]
  if (!result.ok) return { ...result, hints: [...result.hints, ...lines] }
  const [head = '', ...rest] = lines
  const apart = [head, '', ...rest].join('\n')
  return { ...result, content: result.content === null ? apart : `${result.content}\n\n${apart}` }
}

async function runTemplate(
  call: ActionCall,
  { declaration, parsed, prepared, template }: ReadyCall & { readonly template: ResponseTemplate },
  answered: Answered,
  context: CommandContext,
): Promise<Result> {
  if (isTooWide(answered.text))
    return fail(
      'TOO_LARGE',
      `The answer of ${declaration.called} has more than ${LIMITS.jsonValues} values`,
      'Ask the service for less',
    )
  if (takesApart(template.nodes) && isUnread(answered)) return noJson(declaration.called, answered, prepared.secrets)
  const outcome = runResponse(template, answered, lookUp(parsed, prepared, context), fieldNames(declaration))
  return outcome.ok ? apply(declaration.id, outcome, prepared.secrets, call.powers, context) : outcome
}

/** An answer of which no part can be taken. Where nothing was answered, nothing is wrong. */
function isUnread({ body, page }: Answered): boolean {
  if (page?.kind === 'binary' || page?.kind === 'image') return true
  return typeof body === 'string' && body.trim() !== '' && !isJson(body)
}

/** Its text is shown: who sees it need not ask again. */
function noJson(called: string, { page, text }: Answered, secrets: Secrets): Failure {
  const at = jsonFaultAt(text)
  const isOther = at === null && page !== null && page.kind !== 'json' && page.kind !== 'text'
  const place = at === null ? '' : ` (line ${at.line}, column ${at.column})`
  const failure = fail(
    'ACTION_FAILED',
    `The answer is ${isOther ? `${page.mediaType}, not JSON` : `no JSON${place}`}, and the response of ${called} takes parts of it`,
    page === null
      ? 'It has to print JSON alone; anything else can go to standard error: >&2'
      : 'In the response, {Response.body} alone is the text',
  )
  const keep: AnswerRoom['keep'] = () => ({ where: SAVES, path: null })
  return withOutput(failure, excerptOf(text, secrets, { shownBytes: LIMITS.errorBytes, keep }).text)
}

const SAVES = 'save: in the template keeps the whole'

/** What a template was made of. Nobody is shown that, so nothing is kept of what is too long: a template can save it. */
function dataBehind(
  answered: Answered,
  secrets: Secrets,
  { shownBytes, errors }: { readonly shownBytes: number; readonly errors: string | null },
): Data {
  const { status, page, output } = answered
  const room = { shownBytes, keep: () => ({ where: SAVES, path: null }) }
  if (page !== null) return pageData(status, page, secrets, room)
  const excerpt = output.excerpt(shownBytes, (all) => secrets.mask(all))
  return outputData(status, excerpt, { errors })
}

function schemaOf(declaration: Declaration, { action }: ActionCall): Success {
  const effects = effectsOf(declaration, templateIn(action))
  const data = { actions: [schemaData(declaration, effects)] }
  return ok(`Action: ${declaration.id}`, actionSchema(declaration, effects), data)
}

/** Who typed nothing behind its name asks what it takes; whoever expected it to run hears first that it did not, and why. */
function notRun(declaration: Declaration, call: ActionCall): Result {
  const help = schemaOf(declaration, call)
  const missing = declaration.fields.filter(isNeeded).map(({ name }) => name)
  const content = `Not run: it needs ${listNames(missing)}\n\n${help.content}`
  return { ...help, content, data: { ...help.data, missing_fields: missing } }
}

function dryRun({ declaration, prepared, template }: ReadyCall, paths: ReadonlyMap<Save, string>): Result {
  const { secrets } = prepared
  const { id, fields } = declaration
  const { unsafe } = effectsOf(declaration, template)
  const writes = template === null ? [] : writtenFiles(template, fields, paths)
  const shown = withoutGaps(shownAction(prepared))
  const saves = writes.length === 0 ? '' : `\n\nWrites the file: ${writes.join('; ')}`
  const warning = unsafe ? ` (${UNSAFE})` : ''
  return { ...ok(`Dry run: ${id}${warning}`, `${shown}${saves}`), isPrivate: secrets.size > 0 }
}

/** So many blanks that they push what follows out of sight are counted instead. */
function withoutGaps(text: string): string {
  return text.replace(/[ \t]{100,}|\n{20,}/g, (gap) => `⟨${count(gap.length, gap[0] === '\n' ? 'line end' : 'blank')}⟩`)
}

async function readAction(
  { action, line, called }: ActionCall,
  { session }: CommandContext,
): Promise<{ ok: true; compiled: Compiled; parsed: CallArguments; isEmpty: boolean } | Failure> {
  // With it comes a parser for bash, which most runs of the daemon do without.
  const { compile } = await import('../../action/declare/compile.ts')
  const compiled = compile(action.source, called, includedFile(action))
  if (!compiled.ok) return compiled
  const { declaration, takesRest } = compiled
  const typed = splitCall(line)
  if (!typed.ok) return typed
  const parsed = readCall(declaration, typed.typed, takesRest, wordReader(session))
  return parsed.ok ? { ok: true, compiled, parsed, isEmpty: typed.words.length === 0 } : parsed
}

/** A template that saves needs files, and it is told so before anything is sent. */
function templateOf({ action, powers }: ActionCall): ResponseTemplate | Failure | null {
  if (action.response === null) return null
  const template = parseResponse(action.response, includedFile(action))
  if (template.ok && template.saves && powers.files === null)
    return fail(
      'ACTION_FORBIDDEN',
      `Action ${action.id} saves files, which a page from the web may not`,
      'Save the page as a file of the workspace, or /install it',
    )
  return template
}

/** A name that is none would be left out of the path, so that another file is written: it is told before anything is sent. */
function unknownFile(
  { called, fields }: Declaration,
  inFiles: ReadonlySet<string>,
  { session }: CommandContext,
): Failure | null {
  const known = [...fields.map(({ name }) => name), ...session.variables.all.keys(), ...session.values.keys()]
  const unknown = [...inFiles].find((name) => !known.includes(name))
  if (unknown === undefined) return null
  const close = nearest(unknown, known)
  return fail(
    'ACTION_FAILED',
    `The response of ${called} writes a file whose name has {${unknown}} in it, which is no field and no variable of the topic`,
    close === null ? `Mend it in the document, or declare the field ${unknown}` : `Did you mean {${close}}?`,
  )
}

/** As it can be typed, where that is a line that one would type. */
function dryRunOf({ called }: Declaration, { line }: ActionCall): string {
  const typed = line.trim()
  if (typed === '') return `${called} --dry-run`
  const isShort = typed.length <= LIMITS.shownValueChars && !typed.includes('\n')
  return isShort ? `${called} --dry-run ${typed}` : `${called} --dry-run with the same values`
}

function ioOf(dryRun: string, { send, shell, workspace, signal, keep }: CommandContext): Omit<ActionIo, 'isRead'> {
  const { exec, execMs, shownBytes } = shell
  return { dryRun, send, exec, execMs, cwd: workspace.start, signal, room: { shownBytes, keep } }
}

/** The request as it would leave, or the script as it would run. */
function shownAction({ action }: PreparedAction): string {
  if (action.kind === 'cli') return visibleText(action.shown)
  const { method, url, headers, body } = action
  const head = [
    `${method} ${url}`,
    ...headers.map(([name, value]) => `${name}: ${Buffer.from(value, 'latin1').toString()}`),
  ].join('\n')
  return visibleText(body === null ? head : `${head}\n\n${body}`)
}

/** Without a template: Markdown is a document, everything else is text. */
async function showAnswer(
  id: string,
  { action, secrets }: PreparedAction,
  { status, page, output }: Answered,
  powers: Powers,
  context: CommandContext,
): Promise<Result> {
  const { shownBytes } = context.shell
  // Before it is cut: half of a secret is not recognised by itself.
  if (output !== null) {
    const excerpt = output.excerpt(shownBytes, (text) => secrets.mask(text))
    return { ...shown(id, excerpt.text, secrets), data: outputData(status, excerpt) }
  }
  // Before it is read and kept as a document; what only reading it undoes is hidden when the answer leaves.
  const safe = {
    ...page,
    text: secrets.mask(page.text),
    url: secrets.mask(page.url),
    origin: { ...page.origin, url: secrets.mask(page.origin.url) },
  }
  const data = pageData(status, page, secrets, { shownBytes, keep: context.keep })
  if (action.kind === 'http' && action.method === 'GET' && page.kind === 'markdown') {
    const loaded = await context.reader.answer(safe)
    if (!loaded.ok) return loaded
    const address = { ok: true, kind: 'web', url: safe.url, from: powers.origin, block: null } as const
    return { ...showDocument(`Opened ${safe.url}`, address, loaded, FIRST_PAGE, context), data }
  }
  const readable = await context.reader.answerText(safe)
  if (!readable.ok) return readable
  // What was cut and kept as it came is not kept once more.
  const { body, truncated } = data
  const isKept = truncated === true && readable.text === safe.text
  const text = isKept && typeof body === 'string' ? body : readable.text
  return { ...shown(id, page.kind === 'json' ? prettyJson(text) : text, secrets), data }
}

function shown(id: string, output: string, secrets: Secrets): Result {
  const text = stripEnd(output, '\n')
  return text === '' ? ok(`Done: ${id}`) : { ...ok(null, text), isPrivate: secrets.size > 0 }
}

function lookUp({ values }: CallArguments, { filler }: PreparedAction, { session }: CommandContext): LookUp {
  return (name) => {
    const given = values.get(name) ?? filler.value(name)
    if (given?.ok) return given.items ?? given.text
    return session.variables.all.get(name) ?? session.values.get(name) ?? null
  }
}

/** Keeps what a template has set, writes what it saves, and shows what it says. */
async function apply(
  id: string,
  { output, variables, shortcuts, saves }: Outcome,
  secrets: Secrets,
  { files }: Powers,
  { session }: CommandContext,
): Promise<Result> {
  const all = new Set([...session.variables.all.keys(), ...variables.keys()])
  if (all.size > LIMITS.variables)
    return fail('LIMIT_REACHED', `A topic has at most ${LIMITS.variables} variables`, '/unset {name} removes one')
  const saved: string[] = []
  for (const { to, bytes } of saves) {
    const written = await files?.write(secrets.mask(to), secrets.maskBytes(bytes))
    if (written === undefined)
      return fail(
        'ACTION_FORBIDDEN',
        'This document saves no files',
        'Save it as a file of the workspace, or /install it',
      )
    if (!written.ok) return { ...written, hints: [...written.hints, ...saved] }
    saved.push(`Saved: ${written.shown} (${bytes.length} bytes)`)
  }
  for (const [name, value] of variables) session.variables.set(name, secrets.mask(value), 'response')
  session.keepValues(
    [...shortcuts].map(([name, value]) => [
      name,
      typeof value === 'string' ? secrets.mask(value) : value.map((item) => secrets.mask(item)),
    ]),
    stem,
  )
  if (output === '') return shown(id, saved.join('\n'), secrets)
  const result = shown(id, output, secrets)
  // Whoever wrote a template wrote a page; a note that there was nothing to show is none.
  return result.ok && stripEnd(output, '\n') !== '' ? { ...result, isMarkdown: true } : result
}
