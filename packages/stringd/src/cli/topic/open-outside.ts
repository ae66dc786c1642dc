import { statSync } from 'node:fs'
import type { ExecResult } from '@string-os/client'
import { visibleLine } from '@string-os/protocol'
import { allowFolders } from '../agent/allow.ts'
import { dim } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import type { Talk } from './talk.ts'

/** Of a command that was refused because a path is outside the workspace: its person may open that folder. Tells whether they did. */
export async function opensOutside({ client, reader, paint }: Talk, result: ExecResult): Promise<boolean> {
  const folder = outsideFolder(result)
  // Whoever has typed on answers something else.
  if (folder === null || reader.hasTyped) return false
  const answer = await reader.ask(
    `Open ${visibleLine(folder)} to ${client.agent}? [y/N] `,
    new AbortController().signal,
  )
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) return false
  const said = await allowFolders(client, { id: client.agent, allow: [folder], disallow: [] }, false)
  reader.print(dim(prose(`(${said})`, process.stdout), paint.color))
  return true
}

function outsideFolder({ outside: folder }: ExecResult): string | null {
  if (folder === undefined) return null
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : null
}
