import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { systemReason, visibleLine } from '@string-os/protocol'
import { CliError, EXIT, usageError } from '../exit.ts'
import { asCalled } from '../program-name.ts'
import { workingDir } from '../working-dir.ts'
import { type AppCall, shownPath, wayTo } from './app-call.ts'
import { appTemplate, toolTemplate } from './templates.ts'

/** `string app init NAME [--tool]`: a package that can be installed at once, in a folder that was empty. */
export function runInit(asked: AppCall, isTool: boolean): number {
  if (asked.path === undefined) throw usageError('What shall it be called? string app init NAME [--tool]')
  const folder = resolve(workingDir(asked.cwd), asked.path)
  const name = basename(folder)
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw usageError(`Not a name for a package: ${visibleLine(name)} (letters, digits, _ and -, at most 64)`)
  const files = isTool ? toolTemplate(name) : appTemplate(name)
  write(folder, files)
  const { before, path } = wayTo(folder, asked)
  const paths = Object.keys(files).sort()
  const next = [
    ...(before === null ? [] : [before]),
    `string app check ${path}`,
    `string app install --link ${path}`,
    ...(isTool
      ? [`string '/tool:${name} ${join(path, 'README.md')}'`]
      : [`string app:${name} /open`, `string app:${name} '/act.add "buy milk"'`]),
  ]
  const text = `Wrote ${paths.join(', ')} into ${shownPath(folder, asked)}\nNext:\n${next.map((line) => `  ${line}`).join('\n')}`
  const data = { folder, name, type: isTool ? 'tool' : 'app', files: paths }
  process.stdout.write(`${asked.json ? JSON.stringify(data) : asCalled(text, asked.program)}\n`)
  return EXIT.ok
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(folder, { recursive: true })
    if (readdirSync(folder).length > 0) throw refused(folder, 'exists already and is not empty; name another folder')
    for (const [path, text] of Object.entries(files))
      writeFileSync(join(folder, path), text, { flag: 'wx', mode: path.endsWith('.sh') ? 0o755 : 0o644 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof CliError || code === undefined) throw error
    throw refused(
      folder,
      code === 'EEXIST' ? 'exists already and is no folder' : `cannot be written: ${systemReason(code)}`,
    )
  }
}

function refused(folder: string, reason: string): CliError {
  return new CliError(EXIT.commandError, `${visibleLine(folder)} ${reason}`)
}
