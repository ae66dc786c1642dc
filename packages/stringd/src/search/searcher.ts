import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { distDir } from '../dist-dir.ts'
import { isFolder } from '../files/files.ts'
import type { Place, Workspace } from '../files/workspace.ts'
import { ParseSlots } from '../library/parse-slots.ts'
import { joined } from './joined.ts'
import type {
  FoundFile,
  GuardAnswer,
  GuardQuestion,
  Searched,
  SearchPlace,
  SearchReport,
  SearchTask,
  Share,
} from './search-task.ts'

export interface Search extends Pick<SearchTask, 'pattern' | 'filesOnly' | 'context'> {
  readonly place: Place
  /** It decides what is entered and followed. */
  readonly workspace: Workspace
  readonly signal: AbortSignal
  /** As long as the caller waits. */
  readonly limitMs: number
}

/** Of its time, what a search takes before it ends by itself; the rest is for one that hangs in a single line. */
const BY_ITSELF = 0.9

/** Searches in threads: a pattern may take for ever in one line, and then its thread is ended. */
export class Searcher {
  readonly #slots = new ParseSlots(LIMITS.searchesAtOnce, LIMITS.searchesWaiting)
  readonly #idle: Worker[] = []

  async search(search: Search): Promise<Searched | Failure> {
    const leave = await this.#slots.take(search.signal)
    if (leave === null) return search.signal.aborted ? stopped() : tooMany()
    try {
      return search.signal.aborted ? stopped() : await this.#shared(search)
    } finally {
      leave()
    }
  }

  /** Reading takes most of the time, and two threads read faster than one. What one cannot do, ends the other. */
  async #shared(search: Search): Promise<Searched | Failure> {
    const of = isFolder(search.place) ? Math.min(LIMITS.searchThreads, availableParallelism()) : 1
    const end = new AbortController()
    const signal = AbortSignal.any([search.signal, end.signal])
    const runs = Array.from({ length: of }, async (_, index) => {
      const worker = this.#idle.pop() ?? startThread()
      const result = worker === null ? noRoom() : await this.#run(worker, { ...search, signal }, { index, of })
      if (!result.ok) end.abort()
      return result
    })
    const results = await Promise.all(runs)
    const failures = results.filter((result) => !result.ok)
    const [failure] = [...failures.filter(({ code }) => code !== 'CANCELLED'), ...failures]
    return (
      failure ??
      joined(
        results.filter((result) => result.ok),
        search.filesOnly,
      )
    )
  }

  #run(worker: Worker, search: Search, share: Share): Promise<Searched | Failure> {
    const limitMs = Math.min(LIMITS.searchMs, search.limitMs)
    return new Promise((resolve) => {
      const files: FoundFile[] = []
      const finish = (result: Searched | Failure, isFit: boolean): void => {
        clearTimeout(timer)
        search.signal.removeEventListener('abort', stop)
        forget(worker)
        if (isFit) this.#keep(worker)
        else end(worker)
        resolve(result)
      }
      const stop = (): void => finish(stopped(), false)
      const timer = setTimeout(() => finish({ ok: true, files, summary: null }, false), limitMs)
      search.signal.addEventListener('abort', stop, { once: true })
      forget(worker)
      worker.on('error', (error) => finish(broken(error.message), false))
      worker.on('exit', () => finish(broken('its thread has ended'), false))
      worker.on('message', (report: SearchReport) => {
        if (report.kind === 'found') files.push(report.file)
        else if (report.kind === 'done') finish({ ok: true, files, summary: report.summary }, true)
        else worker.postMessage({ kind: 'answer', answer: answerOf(report.question, search.workspace) })
      })
      worker.ref()
      if (search.signal.aborted) return stop()
      worker.postMessage({ kind: 'search', task: taskOf(search, limitMs * BY_ITSELF, share) })
    })
  }

  #keep(worker: Worker): void {
    const leave = (): void => {
      clearTimeout(timer)
      const place = this.#idle.indexOf(worker)
      if (place === -1) return
      this.#idle.splice(place, 1)
      end(worker)
    }
    const timer = setTimeout(leave, LIMITS.parserIdleMs).unref()
    worker.once('exit', leave)
    worker.once('error', leave)
    worker.unref()
    this.#idle.push(worker)
  }
}

/** Null when the system has no room for one. */
function startThread(): Worker | null {
  try {
    return new Worker(join(distDir(), 'search-worker.cjs'), {
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.searcherMib },
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

/** By their names: a worker keeps listeners of its own. */
function forget(worker: Worker): void {
  for (const name of ['message', 'error', 'exit']) worker.removeAllListeners(name)
}

function end(worker: Worker): void {
  forget(worker)
  // What it still reports concerns nobody.
  worker.on('error', () => undefined)
  void worker.terminate()
}

function taskOf(search: Search, withinMs: number, share: Share): SearchTask {
  const { place, workspace, pattern, filesOnly, context } = search
  const root = asPlace(place)
  const above: string[] = []
  for (let folder = dirname(root.real); isAbove(folder, above, root, workspace); folder = dirname(folder))
    above.push(folder)
  return { root, above, pattern, filesOnly, context, withinMs, share }
}

/** What lies outside of the workspace is not asked what git ignores. */
function isAbove(folder: string, above: readonly string[], root: SearchPlace, workspace: Workspace): boolean {
  return folder !== (above.at(-1) ?? root.real) && workspace.isOpenFolder(folder)
}

function answerOf({ folders, links }: GuardQuestion, workspace: Workspace): GuardAnswer {
  return {
    folders: folders.map((real) => workspace.isOpenFolder(real)),
    links: links.map((path) => {
      const place = workspace.admit(path, path)
      return place.ok && place.exists ? asPlace(place) : null
    }),
  }
}

function asPlace(place: Place): SearchPlace {
  return { path: place.path, real: place.real, isFolder: isFolder(place) }
}

function stopped(): Failure {
  return fail('CANCELLED', 'The search was stopped before its end', 'The topic goes on with the next command')
}

function tooMany(): Failure {
  return fail('LIMIT_REACHED', `${LIMITS.searchesWaiting} searches wait already`, 'Try again in a moment')
}

function noRoom(): Failure {
  return fail('LOAD_ERROR', 'The system has no room for a search', 'Try again in a moment')
}

function broken(why: string): Failure {
  return fail('LOAD_ERROR', `The search could not go on: ${why}`, 'Name a smaller folder, or a simpler pattern')
}
