import { chmodSync, mkdirSync } from 'node:fs'

/** Makes a folder that only its owner can enter, whatever the umask; one that exists is left as it is. */
export function ensurePrivateDir(path: string): void {
  const created = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (created !== undefined) chmodSync(path, 0o700)
}
