import { createHash } from 'node:crypto'

/** Tells one content of a file from another. */
export function fingerprint(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64')
}
