import type { Document } from '../document.ts'

/** The first heading of level 1 that says something. */
export function headline({ sections }: Document): string | null {
  return sections.find(({ level, title }) => level === 1 && title !== '')?.title ?? null
}
