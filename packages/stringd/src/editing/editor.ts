import { lstatSync, rmSync, type Stats } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Change, type Failure, fail, LIMITS } from '@string-os/protocol'
import { type Bounds, diffLines } from '../document/text/diff.ts'
import { hasMoreLines, joinLines, splitLines, type TextLine, tooManyLines } from '../document/text/text-lines.ts'
import { fileIn, notText, readFile } from '../files/files.ts'
import { fingerprint } from '../files/fingerprint.ts'
import { noSuchLines } from '../files/read-lines.ts'
import { isSameFile } from '../files/same-file.ts'
import { decodeText } from '../files/text.ts'
import type { Place, Workspace } from '../files/workspace.ts'
import type { CommandBudget } from '../library/command-budget.ts'
import type { Library } from '../library/library.ts'
import type { Reader } from '../reading/reader.ts'
import type { Session } from '../session/session.ts'
import { writeInFolder } from '../store/atomic-file.ts'
import type { FileLocks } from '../store/file-locks.ts'
import { type EditTarget, findEditTarget, missing } from './edit-target.ts'
import { inFolderOf } from './in-folder.ts'
import type { UndoSteps, WhyNone } from './undo-steps.ts'
import { writeFailure } from './write-failure.ts'

export interface EditorParts {
  readonly workspace: Workspace
  readonly session: Session
  readonly reader: Reader
  readonly library: Library
  readonly locks: FileLocks
  readonly undos: UndoSteps
  readonly budget: CommandBudget
}

/** A file's text as an edit finds it, and the lines that the target means, counted from 0. */
export interface Source {
  readonly ok: true
  readonly lines: readonly TextLine[]
  readonly from: number
  readonly count: number
  /** Where the context of a diff stops, for the new number of lines in the target's place. */
  readonly bounds: (lines: number) => Bounds
}

/** What an edit makes of a source. */
export interface NewText {
  readonly ok: true
  readonly lines: readonly TextLine[]
  /** How many lines were put in the target's place. */
  readonly put: number
  /** Written byte for byte, without the byte-order mark that the file may have had. */
  readonly raw?: true
}

/** Makes a new text of a source. `pause` lets others have their turn: of very many lines each step takes a while. */
export type MakeText = (source: Source, pause: () => Promise<void>) => NewText | Failure | Promise<NewText | Failure>

export interface Edited {
  readonly ok: true
  /** How many lines were put in the target's place. */
  readonly put: number
  /** Of the file as it is now. */
  readonly bytes: number
  readonly lines: number
  /** How many lines stood in the target's place before; null when there was no file. */
  readonly replaced: number | null
  readonly change: Change
}

export interface EditOptions {
  /** Overwrites what someone else changed. */
  readonly force: boolean
  /** Makes the file, and its folders, where there is none. */
  readonly create: boolean
}

const WHOLE: Bounds = { from: 0, to: Number.POSITIVE_INFINITY }

/** Changes files so that nothing is lost: one edit at a time, on what the topic has seen, replacing the file as a whole. */
export class Editor {
  readonly #parts: EditorParts

  constructor(parts: EditorParts) {
    this.#parts = parts
  }

  /** What an edit changes. A bare name is the file of that name that the topic has open or has read, else one in `cwd` or home. */
  target(typed: string): Promise<EditTarget | Failure> {
    const { workspace, session } = this.#parts
    const locate = (path: string): Place | Failure => workspace.locateToWrite(path, session.fileNamed(path))
    return findEditTarget(typed, { ...this.#parts, locate })
  }

  /** What a look at a file means: the one that an edit would change, else the one that is read under this name. */
  async inspect(typed: string): Promise<EditTarget | Failure> {
    const { session, reader } = this.#parts
    const { workspace } = reader
    const locate = (path: string): Place | Failure => {
      const place = workspace.locateToWrite(path, session.fileNamed(path))
      return place.ok && place.exists ? place : workspace.locate(path)
    }
    const target = await findEditTarget(typed, { session, reader, workspace, locate })
    return target.ok && !/^[#:]/.test(typed) ? { ...target, shown: typed } : target
  }

  /** Reads what a target means; from now on the topic has seen the file. */
  async read(target: EditTarget): Promise<Source | Failure> {
    const current = this.#current(target)
    if (!current.ok) return current
    if (current.bytes === null) return missing(target)
    this.#parts.session.hasRead(target.place, fingerprint(current.bytes))
    return this.#source(target, current.text)
  }

  /** Replaces the file by what `make` makes of it. */
  change(target: EditTarget, make: MakeText, options: EditOptions): Promise<Edited | Failure> {
    return this.#parts.locks.with(target.place.real, async () => {
      const current = this.#current(target, options.create)
      if (!current.ok) return current.code === 'TOO_LARGE' ? notChanged(current) : current
      const conflict = options.force ? null : this.#conflict(target, current.bytes)
      if (conflict !== null) return conflict
      if (current.bytes === null && !options.create) return missing(target, `/write ${target.shown} makes it`)
      // Of a file with very many lines each step takes a while; others get their turn between them.
      await nextTurn()
      const source = await this.#source(target, current.text)
      if (!source.ok) return source
      await nextTurn()
      const next = await make(source, () => nextTurn())
      await nextTurn()
      return next.ok ? this.#write(target, current, source, next) : next
    })
  }

  /** Takes the topic's last edit back. */
  async undo(force: boolean): Promise<{ ok: true; shown: string; lines: number | null; change: Change } | Failure> {
    const { session, workspace, locks, undos } = this.#parts
    const step = undos.of(session)
    if (typeof step === 'string') return nothingToUndo(step)
    const place = workspace.locate(step.path)
    if (!place.ok) return place
    const shown = workspace.visible(step.path)
    const target: EditTarget = { ok: true, place, part: { kind: 'whole' }, shown }
    return locks.with(place.real, async () => {
      const current = this.#current(target)
      if (!current.ok) return current
      const now = current.bytes === null ? null : fingerprint(current.bytes)
      if (now !== step.after && !force) return conflictOf(shown, '/undo --force insists')
      const old = splitLines(current.text)
      const restored = splitLines(step.before === null ? '' : (decodeText(step.before) ?? ''))
      const failed = await this.#put(place, step.before, current, shown)
      if (failed !== null) return failed
      undos.take(session)
      await nextTurn()
      const { added, removed, text } = diffLines(old, restored, WHOLE)
      const lines = step.before === null ? null : restored.length
      return { ok: true, shown, lines, change: { path: shown, added, removed, diff: text } }
    })
  }

  async #write(
    target: EditTarget,
    current: Current,
    source: Source,
    { lines, put, raw }: NewText,
  ): Promise<Edited | Failure> {
    const { place, shown } = target
    if (lines.length > LIMITS.editedLines) return tooManyLines(`${shown} would have`)
    const text = joinLines(lines)
    const bytes = Buffer.from(current.bom && raw !== true ? `\ufeff${text}` : text)
    if (bytes.length > LIMITS.documentBytes)
      return fail(
        'TOO_LARGE',
        `${shown} would be larger than ${LIMITS.documentBytes / 1024 / 1024} MiB`,
        'Write less, or several files',
      )
    const failed = await this.#put(place, bytes, current, shown)
    if (failed !== null) return failed
    const { undos, session } = this.#parts
    undos.set(session, { path: place.path, before: current.bytes, after: fingerprint(bytes) })
    await nextTurn()
    const diff = diffLines(source.lines, lines, source.bounds(put))
    const change = { path: shown, added: diff.added, removed: diff.removed, diff: diff.text }
    const replaced = current.bytes === null ? null : source.count
    return { ok: true, bytes: bytes.length, lines: lines.length, put, replaced, change }
  }

  /** Puts bytes in the file's place, or with null takes the file away. Says why when it cannot. */
  async #put(place: Place, bytes: Buffer | null, current: Current, shown: string): Promise<Failure | null> {
    try {
      if (bytes === null) await this.#remove(place, current)
      else if (!(await this.#replace(place, bytes, current))) return conflictOf(shown)
      this.#parts.session.hasWritten(place, bytes === null ? null : fingerprint(bytes))
      return null
    } catch (error) {
      return writeFailure(error, shown)
    }
  }

  async #remove({ real }: Place, { stat }: Current): Promise<void> {
    if (stat !== null) await inFolderOf(real, (folder, name) => rmSync(folder.at(name), { force: true }))
  }

  #replace({ real }: Place, bytes: Buffer, { stat }: Current): Promise<boolean> {
    return inFolderOf(real, (folder, name) => {
      const confirm = (): boolean => {
        const now = lstatSync(folder.at(name), { throwIfNoEntry: false })
        return stat === null ? now === undefined : now !== undefined && isSameFile(stat, now)
      }
      if (stat === null) return writeInFolder(folder, name, bytes, { mode: 0o666 & ~process.umask(), confirm })
      const isOurs = stat.uid === process.getuid?.() && stat.gid === process.getgid?.()
      const owner = isOurs ? {} : { owner: { uid: stat.uid, gid: stat.gid } }
      return writeInFolder(folder, name, bytes, { mode: stat.mode & 0o7777, confirm, ...owner })
    })
  }

  #current({ place, shown }: EditTarget, mayMake = false): ({ ok: true } & Current) | Failure {
    const file = readFile(place, shown)
    // A folder that lets nobody in says so when the file is to be made in it.
    const isNew = !file.ok && (file.code === 'NOT_FOUND' || (mayMake && !place.exists && file.code === 'LOAD_ERROR'))
    if (isNew) return { ok: true, bytes: null, text: '', bom: false, stat: null }
    if (!file.ok) return file
    const text = decodeText(file.bytes)
    if (text === null) return notText(shown, file.bytes, true)
    if (hasMoreLines(text, LIMITS.editedLines)) return tooManyLines(`${shown} has`)
    return {
      ok: true,
      bytes: file.bytes,
      text,
      bom: file.bytes[0] === 0xef && file.bytes[1] === 0xbb && file.bytes[2] === 0xbf,
      stat: file.stat,
    }
  }

  #conflict({ place, shown }: EditTarget, bytes: Buffer | null): Failure | null {
    const seen = this.#parts.session.printOf(place)
    const now = bytes === null ? null : fingerprint(bytes)
    return seen === undefined || seen === now ? null : conflictOf(shown)
  }

  /** The lines that the target means. */
  async #source({ part, place, shown }: EditTarget, text: string): Promise<Source | Failure> {
    const lines = splitLines(text)
    if (part.kind === 'whole') return { ok: true, lines, from: 0, count: lines.length, bounds: () => WHOLE }
    if (part.kind === 'lines') return linesPart(lines, part.from, part.to, shown)
    const block = await this.#parts.library.block(text, place.path, part.id, this.#parts.budget, fileIn(shown))
    if (!block.ok) return block
    const from = lineOf(text, block.span.start)
    const size = lineOf(text, block.span.end) - from
    // A block's context ends at its markers, a section's at nothing.
    const bounds = (now: number): Bounds => (block.marked ? { from: from - 1, to: from + now + 1 } : WHOLE)
    return { ok: true, lines, from, count: size, bounds }
  }
}

interface Current {
  readonly bytes: Buffer | null
  readonly text: string
  readonly bom: boolean
  readonly stat: Stats | null
}

/** What shows a part of a large file does not help to change it. */
function notChanged(failure: Failure): Failure {
  return { ...failure, hints: ['/exec can change it, for example with sed -i'] }
}

function linesPart(lines: readonly TextLine[], from: number, to: number, shown: string): Source | Failure {
  if (from < 1 || to < from || to > lines.length) {
    return noSuchLines(shown, { from, to }, lines.length)
  }
  return { ok: true, lines, from: from - 1, count: to - from + 1, bounds: () => WHOLE }
}

/** Whole lines before an offset; text that does not end with a line end has one more behind it. */
function lineOf(text: string, offset: number): number {
  const before = text.slice(0, offset)
  return before.split('\n').length - (before === '' || before.endsWith('\n') ? 1 : 0)
}

const NOTHING_TO_UNDO: Readonly<Record<WhyNone, string>> = {
  none: 'This topic has made no edit that could be undone',
  taken: 'The last edit of this topic was taken back already, and edits before it are not kept',
  dropped: 'The last edit of this topic is no longer kept: later edits of other topics needed the room',
}

function nothingToUndo(why: WhyNone): Failure {
  const next = 'One edit can be taken back, once; /edit PATH shows a file as it is now'
  return fail('NOTHING_TO_UNDO', NOTHING_TO_UNDO[why], next)
}

function conflictOf(shown: string, insist = '--force insists'): Failure {
  return fail(
    'CONFLICT',
    `Someone else changed ${shown} since this topic read it`,
    `/refresh or /open reads it again, ${insist}`,
  )
}
