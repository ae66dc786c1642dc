import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const keys = new Map<number, string>()

/**
 * Requests of tests to this port carry the daemon's key from now on, as those of our own clients do: what is tested then is
 * what they ask for. Who asks is tested in `only-this-user.test.ts`, and wherever a test opens connections by itself.
 */
export function rememberKey(port: number, dataDir: string): void {
  const { key } = JSON.parse(readFileSync(join(dataDir, 'daemon.json'), 'utf8')) as { key: string }
  keys.set(port, key)
}

export function keyHeader(port: number): Record<string, string> {
  const key = keys.get(port)
  return key === undefined ? {} : { 'X-String-Key': key }
}
