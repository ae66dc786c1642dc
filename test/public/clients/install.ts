import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../support/cli.ts'
import { shell } from '../npm-shell.ts'

export interface Package {
  readonly package: string
  readonly version: string
  /** The name of its program. */
  readonly program: string
}

/** Some hundred MB each, so they stay for the next run. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'string-clients')

/** The folder that holds the program of exactly that version; null, and said aloud, when it cannot be had or does not run. */
export async function installed({ package: name, version, program }: Package): Promise<string | null> {
  const folder = join(CACHE, `${program}-${version}`)
  if (!existsSync(folder) && !(await install(folder, name, version))) {
    console.warn(`SKIPPED: ${name}@${version} cannot be installed from the package registry, so it was not run`)
    return null
  }
  const bin = join(folder, 'node_modules/.bin')
  const ran = await run(join(bin, program), ['--version'], { env: process.env }).catch((error: Error) => ({
    status: null,
    stdout: '',
    stderr: error.message,
  }))
  if (ran.status === 0 && ran.stdout.includes(version)) return bin
  // Not what the next run would find.
  rmSync(folder, { recursive: true, force: true })
  console.warn(`SKIPPED: ${name}@${version} does not run here (${ran.stderr.trim() || `exit ${ran.status}`})`)
  return null
}

/** Into another folder first: one that is there is complete. */
async function install(folder: string, name: string, version: string): Promise<boolean> {
  const staging = `${folder}.${process.pid}`
  mkdirSync(staging, { recursive: true })
  // Some programs come by a script of their package, which npm runs only where it is allowed to.
  writeFileSync(join(staging, 'package.json'), JSON.stringify({ private: true, allowScripts: { [name]: true } }))
  const args = ['install', '--no-audit', '--no-fund', '--fetch-retries=0', `${name}@${version}`]
  const { status } = await run('npm', args, { cwd: staging, env: shell })
  if (status === 0) renameSync(staging, folder)
  rmSync(staging, { recursive: true, force: true })
  return status === 0
}
