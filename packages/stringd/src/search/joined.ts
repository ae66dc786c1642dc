import { LIMITS } from '@string-os/protocol'
import type { FoundFile, Searched, SearchSummary } from './search-task.ts'

/** What several threads found, as one would have: the nearest first, and not more than one shows. */
export function joined(results: readonly Searched[], filesOnly: boolean): Searched {
  const all = results.flatMap(({ files }) => files).sort(nearest)
  const files = filesOnly ? all.slice(0, LIMITS.foundFiles) : firstLines(all)
  const isCut = files.length < all.length || files.at(-1) !== all.at(-1)
  const summary = summed(results.map((result) => result.summary))
  return { ok: true, files, summary: isCut && summary?.stopped === null ? { ...summary, stopped: 'enough' } : summary }
}

function nearest(a: FoundFile, b: FoundFile): number {
  return depth(a) - depth(b) || (a.path < b.path ? -1 : 1)
}

function depth({ path }: FoundFile): number {
  return path.split('/').length
}

function firstLines(files: readonly FoundFile[]): FoundFile[] {
  const shown: FoundFile[] = []
  let room: number = LIMITS.foundLines
  for (const file of files) {
    if (room === 0) break
    const matches = file.lines.filter(({ isMatch }) => isMatch)
    const last = matches[room]
    shown.push(last === undefined ? file : { ...file, lines: file.lines.filter(({ number }) => number < last.number) })
    room -= Math.min(room, matches.length)
  }
  return shown
}

function summed(summaries: readonly (SearchSummary | null)[]): SearchSummary | null {
  return summaries.reduce((a, b) => {
    if (a === null || b === null) return null
    return {
      files: a.files + b.files,
      binary: a.binary + b.binary,
      tooLarge: a.tooLarge + b.tooLarge,
      unreadable: a.unreadable + b.unreadable,
      stopped: a.stopped ?? b.stopped,
    }
  })
}
