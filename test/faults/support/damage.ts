import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { randomBelow } from '../../support/random.ts'

/** Cuts a file anywhere, as a crash in the middle of a write would. */
export function tear(path: string): void {
  truncateSync(path, randomBelow(statSync(path).size))
}

/** Changes one bit somewhere in a file. */
export function flip(path: string): void {
  const bytes = readFileSync(path)
  const at = randomBelow(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << randomBelow(8))
  writeFileSync(path, bytes)
}

/** Fills the disk on which `path` lies to its last byte; answers how to free it. */
export function fillDisk(path: string): () => void {
  for (const size of [65_536, 4096, 1]) appendUntilFull(path, size)
  return () => rmSync(path)
}

/** Whether this machine lets us mount a small disk of our own. */
export function canMount(): boolean {
  try {
    const script = 'unshare -Urm mount -t tmpfs -o size=64k tmpfs /mnt'
    execFileSync('/bin/bash', ['-c', script], { stdio: 'ignore' })
    return true
  } catch {
    // No user namespaces here, or no unshare. A skip that nobody sees would look like a pass.
    process.stderr.write('No small disk can be mounted on this machine, so a full one is not tested\n')
    return false
  }
}

function appendUntilFull(path: string, size: number): void {
  const block = Buffer.alloc(size, 'x')
  for (;;) {
    try {
      writeFileSync(path, block, { flag: 'a' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}
