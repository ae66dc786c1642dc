import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }

/** Lets a person change a text in a program of their own, which has the terminal until it ends. */
export function editOutside(text: string, editor: string): Edited {
  const folder = mkdtempSync(join(tmpdir(), 'string-'))
  const path = join(folder, 'text.txt')
  // Ctrl-C is for the editor, which shares our terminal.
  const ignore = (): void => undefined
  process.on('SIGINT', ignore)
  try {
    writeFileSync(path, `${text}\n`, { mode: 0o600 })
    // As others read it: a program, and perhaps words for it.
    const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' })
    if (status !== 0) return { ok: false, reason: `${editor} has ended with status ${status ?? 'none'}` }
    return { ok: true, text: readFileSync(path, 'utf8').trimEnd() }
  } catch (error) {
    return { ok: false, reason: (error as Error).message }
  } finally {
    process.off('SIGINT', ignore)
    rmSync(folder, { recursive: true, force: true })
  }
}
