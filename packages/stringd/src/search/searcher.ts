import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { distDir } from '../dist-dir.ts'
import { isFolder } from '../files/files.ts'
import type { Place, Workspace } from '../files/workspace.ts'
import { ParseSlots } from '../library/parse-slots.ts'
import type {
  FoundFile,
  GuardAnswer,
  GuardQuestion,
  SearchPlace,
  SearchReport,
  SearchSummary,
  SearchTask,
} from './search-task.ts'

export interface Search extends Pick<SearchTask, 'pattern' | 'filesOnly' | 'context'> {
  readonly place: Place
  /** It decides what is entered and followed. */
  readonly workspace: Workspace
  readonly signal: AbortSignal
  /** As long as the caller waits. */
  readonly limitMs: number
}

export interface Searched {
  readonly ok: true
  readonly files: readonly FoundFile[]
  /** Null when the thread had to be ended: nobody counted. */
  readonly summary: SearchSummary | null
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
      return search.signal.aborted ? stopped() : await this.#run(this.#idle.pop() ?? startThread(), search)
    } finally {
      leave()
    }
  }

  #run(worker: Worker, search: Search): Promise<Searched | Failure> {
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
      worker.postMessage({ kind: 'search', task: taskOf(search, limitMs * BY_ITSELF) })
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

function startThread(): Worker {
  return new Worker(join(distDir(), 'search-worker.cjs'), {
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.searcherMib },
  })
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

function taskOf({ place, workspace, pattern, filesOnly, context }: Search, withinMs: number): SearchTask {
  const root = asPlace(place)
  const above: string[] = []
  for (let folder = dirname(root.real); isAbove(folder, above, root, workspace); folder = dirname(folder))
    above.push(folder)
  return { root, above, pattern, filesOnly, context, withinMs }
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

function broken(why: string): Failure {
  return fail('LOAD_ERROR', `The search could not go on: ${why}`, 'Name a smaller folder, or a simpler pattern')
}
