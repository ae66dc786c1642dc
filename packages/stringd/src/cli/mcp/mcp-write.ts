import { visibleLine, visibleText } from '@string-os/protocol'
import { ask } from '../ask.ts'
import { type ReadFile, readForEdit, writeEdited } from '../config-file/edit-file.ts'
import { lineDiff } from '../config-file/line-diff.ts'
import { putEntry } from '../config-file/put-entry.ts'
import { CliError, EXIT } from '../exit.ts'
import type { Machine, McpClientRow } from './mcp-clients.ts'

export interface WriteRequest {
  readonly row: McpClientRow
  readonly machine: Machine
  readonly path: string
  /** Nobody is to be asked. */
  readonly isSure: boolean
}

/** Puts the entry into the client's file: shows what changes, asks, keeps the old file beside the new one. */
export async function writeMcpConfig({ row, machine, path, isSure }: WriteRequest): Promise<number> {
  const file = readOrThrow(path)
  const spliced = putEntry(row.language, file.text, { at: row.at, entry: row.entry(machine) })
  if (!spliced.ok) throw leftAlone(path, spliced.reason, `string mcp-config ${row.id} prints what to put into it`)
  if (spliced.text === file.text) return said(`${path} holds it already`)
  process.stderr.write(`${visibleLine(path)}${file.text === null ? ' (new)' : ''}\n`)
  process.stderr.write(`${visibleText(lineDiff(file.text ?? '', spliced.text).join('\n'))}\n`)
  if (!(isSure || (await isWanted()))) return said('Nothing was written')
  const written = await writeEdited(file, spliced.text)
  if (!written.ok) throw leftAlone(path, written.reason)
  return said(`Wrote ${path}${written.backup === null ? '' : `; as it was: ${written.backup}`}`)
}

function readOrThrow(path: string): ReadFile {
  const read = readForEdit(path)
  if (read.ok) return read.file
  throw leftAlone(path, read.reason)
}

function leftAlone(path: string, reason: string, next = ''): CliError {
  const hint = next === '' ? '' : `\n${next}`
  return new CliError(EXIT.commandError, visibleText(`${visibleLine(path)} was left as it is: ${reason}${hint}`))
}

/** Where nobody can be asked, `--yes` has to say it. */
async function isWanted(): Promise<boolean> {
  const answer = await ask('Write it?')
  if (answer === null) throw new CliError(EXIT.usage, 'Nobody can be asked here; --yes writes it')
  return answer
}

function said(text: string): number {
  console.log(visibleLine(text))
  return EXIT.ok
}
