import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configFolder, serviceVariables } from '../../config.ts'
import { distDir } from '../../dist-dir.ts'
import { writeFileAtomic } from '../../store/atomic-file.ts'
import { makeFolders } from '../../store/private-dir.ts'
import { unitText } from './unit.ts'
import { UNIT_NAME } from './user-systemd.ts'

export interface UnitFile {
  readonly path: string
  /** What it would hold, made by this program with this environment. */
  readonly text: string
  readonly variables: Readonly<Record<string, string>>
  /** What it holds; null when it is not there. */
  readonly present: string | null
  /** It is of this program and its settings; where programs are found may differ from shell to shell. */
  readonly isCurrent: boolean
}

export function unitFile(): UnitFile {
  const path = join(configFolder(), 'systemd/user', UNIT_NAME)
  const variables = serviceVariables()
  const command = [process.execPath, join(distDir(), 'stringd.cjs')]
  const text = unitText({ command, environment: variables })
  const present = read(path)
  return { path, text, variables, present, isCurrent: present !== null && settingsOf(present) === settingsOf(text) }
}

function settingsOf(text: string): string {
  return text.replace(/^Environment="(?:PATH|LANG)=.*\n/gm, '')
}

/** Only its owner reads it: where things are stored may hold a password. */
export async function writeUnit({ path, text }: UnitFile): Promise<void> {
  makeFolders(dirname(path))
  await writeFileAtomic(path, text)
}

export function removeUnit({ path }: UnitFile): void {
  rmSync(path, { force: true })
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
