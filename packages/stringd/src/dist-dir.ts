import { fileURLToPath } from 'node:url'

/** Put in by the build: the folder of the program that runs. */
declare const DIST_DIR: string

/** Where the built programs are, for whoever starts another one; from source, the last build. */
export function distDir(): string {
  return typeof DIST_DIR === 'string' ? DIST_DIR : fileURLToPath(new URL('../dist', import.meta.url))
}
