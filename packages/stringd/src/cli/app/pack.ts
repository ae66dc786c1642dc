import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { count, systemReason, visibleLine } from '@string-os/protocol'
import { shellWord } from '../../doctor/shell-word.ts'
import { writeTar } from '../../packages/archive/write-tar.ts'
import { leaveOut } from '../../packages/check/left-out.ts'
import { findingText, type PackageProblem } from '../../packages/check/package-problem.ts'
import type { PackageFile } from '../../packages/source/package-files.ts'
import { writeFileAtomic } from '../../store/atomic-file.ts'
import { CliError, EXIT } from '../exit.ts'
import { asCalled } from '../program-name.ts'
import { workingDir } from '../working-dir.ts'
import { type AppCall, placeOf, shownPath } from './app-call.ts'
import { checkAt } from './check.ts'

const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/

/** `string app pack [PATH] [-o FILE]`: an archive of a package, the same bytes for the same files. */
export async function runPack(asked: AppCall, output: string | null): Promise<number> {
  const place = placeOf(asked)
  if (!lstatSync(place.real).isDirectory())
    throw new CliError(
      EXIT.commandError,
      `${visibleLine(place.typed)} is no folder\nA package that is packed is a folder with a string.md`,
    )
  const left = leaveOut(place.real)
  const { findings, known } = await checkAt(place, left.isLeftOut)
  if (known === null || findings.length > 0) return refuse(findings, asked)
  const { files } = known.source
  const secret = [...files].find(([, { bytes }]) => PRIVATE_KEY.test(Buffer.from(bytes).toString('latin1')))
  if (secret !== undefined) throw holdsKey(secret[0])
  const { local, about } = known.inspected
  const target = resolve(workingDir(asked.cwd), output ?? `${local}.tgz`)
  const bytes = writeTar(local, files)
  await write(target, bytes)
  const told = {
    file: target,
    folder: place.whole,
    name: local,
    version: about.version,
    bytes: bytes.length,
    sha256: sha256(bytes),
    files,
    left: left.rows,
  }
  process.stdout.write(`${asked.json ? JSON.stringify(dataOf(told)) : textOf(told, asked)}\n`)
  return EXIT.ok
}

/** Each in a line of its own that begins with where it is, as a check tells them; for programs they are one error. */
function refuse(findings: readonly PackageProblem[], { json }: AppCall): number {
  const text = [...findings.map(findingText), `Nothing was packed: ${count(findings.length, 'problem')}`].join('\n')
  if (json) throw new CliError(EXIT.commandError, text)
  process.stderr.write(`${text}\n`)
  return EXIT.commandError
}

interface Packed {
  readonly file: string
  readonly folder: string
  readonly name: string
  readonly version: string | null
  readonly bytes: number
  readonly sha256: string
  readonly files: ReadonlyMap<string, PackageFile>
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

function textOf({ file, name, version, sha256, files, left }: Packed, asked: AppCall): string {
  const bytes = [...files.values()].reduce((sum, each) => sum + each.bytes.length, 0)
  const shown = shownPath(file, asked)
  return [
    `Packed ${name}${version === null ? '' : ` ${visibleLine(version)}`} into ${shown} (${count(files.size, 'file')}, ${count(bytes, 'byte')})`,
    ...[...files.keys()].sort().map((path) => `- ${visibleLine(path)}`),
    ...(left.length === 0 ? [] : ['Left out:', ...left.map(({ path, why }) => `- ${visibleLine(path)}: ${why}`)]),
    `sha256: ${sha256}`,
    `Next: ${asCalled(`string app install ${shellWord(shown)}`, asked.program)}`,
  ].join('\n')
}

function dataOf({ files, left, ...packed }: Packed): object {
  const list = [...files].map(([path, { bytes }]) => ({ path, bytes: bytes.length }))
  return { ...packed, files: list, left_out: left }
}

async function write(target: string, bytes: Buffer): Promise<void> {
  try {
    await writeFileAtomic(target, bytes, { mode: 0o644 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const hint = '-o FILE names another'
    throw new CliError(EXIT.commandError, `${visibleLine(target)} cannot be written: ${systemReason(code)}\n${hint}`, {
      hint,
    })
  }
}

function holdsKey(path: string): CliError {
  const hint = 'take it out, or let .gitignore name the file'
  return new CliError(EXIT.commandError, `${visibleLine(path)} holds a private key\nNothing was packed: ${hint}`, {
    hint,
  })
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
