import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The page's own files, which alone are HTML, style or script. */
export const PAGE_FILES = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
} as const

export type PagePath = keyof typeof PAGE_FILES

export interface PageFile {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
}

/** Reads a file of the page once; null where the build has none. */
export type PageFiles = (path: PagePath) => PageFile | null

export function createPageFiles(folder: string): PageFiles {
  const known = new Map<PagePath, PageFile>()
  return (path) => {
    const file = known.get(path) ?? readPageFile(folder, path)
    if (file !== null) known.set(path, file)
    return file
  }
}

function readPageFile(folder: string, path: PagePath): PageFile | null {
  const { name, type } = PAGE_FILES[path]
  try {
    const bytes = readFileSync(join(folder, name))
    return { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
