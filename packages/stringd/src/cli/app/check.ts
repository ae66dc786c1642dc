import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { count, visibleLine } from '@string-os/protocol'
import { ownEnvironment } from '../../config.ts'
import { isProgramOn } from '../../doctor/on-path.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { createParser } from '../../library/parser.ts'
import { type CheckedSource, checkPackage } from '../../packages/check/check-package.ts'
import { findingText, type PackageProblem } from '../../packages/check/package-problem.ts'
import { shownFile } from '../../packages/source/package-files.ts'
import { planText } from '../../packages/source/plan-text.ts'
import type { LeaveOut } from '../../packages/source/read-local.ts'
import { EXIT } from '../exit.ts'
import { asCalled } from '../program-name.ts'
import { type AppCall, asError, type PackagePlace, placeOf, wayTo } from './app-call.ts'

/** `string app check [PATH]`: all that is wrong with a package, and what it may do. */
export async function runCheck(asked: AppCall): Promise<number> {
  const place = packageOf(placeOf(asked))
  const checked = await checkAt(place)
  const text = asked.json ? JSON.stringify(dataOf(checked, place)) : textOf(checked, place, asked)
  process.stdout.write(`${text}\n`)
  return checked.findings.length === 0 ? EXIT.ok : EXIT.commandError
}

/** The document of a folder is no package by itself: what it links to lies beside it. */
function packageOf(place: PackagePlace): PackagePlace {
  const { real, whole, typed } = place
  return basename(real) === 'string.md' ? { real: dirname(real), whole: dirname(whole), typed: dirname(typed) } : place
}

/** The same look at a package that an installation takes. */
export async function checkAt({ real, typed }: PackagePlace, isLeftOut?: LeaveOut): Promise<CheckedSource> {
  const parser = createParser()
  const parse = (text: string): ReturnType<typeof parser> => parser({ kind: 'markdown', text })
  const path = ownEnvironment().PATH ?? ''
  const hasProgram = (name: string): boolean => isProgramOn(path, name)
  const parts = { parse, hasProgram, ...(isLeftOut === undefined ? {} : { isLeftOut }) }
  const checked = await checkPackage(real, typed, parts)
  if (!checked.ok) throw asError(checked)
  return checked
}

function textOf({ findings, doubts, known }: CheckedSource, { real, typed }: PackagePlace, asked: AppCall): string {
  const list = [...findings, ...doubts].map(findingText)
  if (known === null)
    return [...list, '', `${count(findings.length, 'problem')}; it cannot be installed like this`].join('\n')
  const soFar =
    doubts.length === 0
      ? 'Nothing is wrong with it'
      : `${count(doubts.length, 'warning')}, and nothing is wrong with it`
  // As the author of a new package was told: what changes in the folder counts at once.
  const link = statSync(real).isDirectory() ? '--link ' : ''
  const way = wayTo(real, asked)
  const [before, path] = way.before === null ? ['', typed] : [`${way.before} && `, way.path]
  const verdict =
    findings.length === 0
      ? `${soFar}. Next: ${asCalled(`${before}string app install ${link}${shellWord(path)}`, asked.program)}`
      : `${count(findings.length, 'problem')}; it could be installed, but not all of it would work`
  return [...list, ...(list.length === 0 ? [] : ['']), nameOf(known), plan(known), '', verdict].join('\n')
}

type Known = NonNullable<CheckedSource['known']>

function nameOf({ inspected: { type, local, about } }: Known): string {
  return `${type}:${local}${about.version === null ? '' : `, version ${visibleLine(about.version)}`}`
}

function plan({ source, inspected }: Known): string {
  const { local, type, about } = inspected
  const record = { local, type, linked: false, folder: null, needs: about.needs, default: about.default }
  const { from, files, secrets } = source
  return planText({ record, plan: inspected.plan, from, files, secrets, missing: [] })
}

function dataOf({ findings, doubts, known }: CheckedSource, place: PackagePlace): object {
  const told = ({ isDoubt: _, lacks: _program, ...found }: PackageProblem): object => ({
    ...found,
    path: pathOf(found.file, place),
  })
  const shared = {
    ok: findings.length === 0,
    installable: known !== null,
    source: place.whole,
    problems: findings.map(told),
    warnings: doubts.map(told),
  }
  if (known === null) return shared
  const { source, inspected } = known
  const { runs, reads, writes, reaches, requests, refused } = inspected.plan
  return {
    ...shared,
    name: inspected.local,
    type: inspected.type,
    version: inspected.about.version,
    files: [...source.files].map(([path, { bytes }]) => ({ path: shownFile(path, source), bytes: bytes.length })),
    runs,
    reads: inspected.about.needs.map(({ name }) => name),
    reads_files: reads,
    writes_files: writes,
    reaches,
    requests,
    refused,
  }
}

/** Where a file that something was found in is on the disk; null of what is in an archive. */
function pathOf(file: string, { real, whole, typed }: PackagePlace): string | null {
  if (statSync(real).isDirectory()) return join(whole, file)
  return file === typed ? whole : null
}
