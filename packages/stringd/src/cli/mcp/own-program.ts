import { realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isProgram } from '../../doctor/on-path.ts'

/**
 * Whether the first `string` on the PATH is `script`: another program of that name must not be started in our place. What npm
 * and npx put in front of the PATH of those that they run, nobody else finds.
 */
export function isOnPath(script: string, path: string): boolean {
  const found = path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/(^|[/\\])node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .map((folder) => join(folder, 'string'))
    .find(isProgram)
  return found !== undefined && realpathSync(found) === realpathSync(script)
}
