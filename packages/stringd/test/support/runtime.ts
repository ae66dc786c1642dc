import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chanFlowBody, parseTopic, type Result, replyBody } from '@string-os/protocol'
import { tempDir } from '../../../../test/support/temp.ts'
import { createComplete } from '../../src/command/complete/complete.ts'
import { createDispatch } from '../../src/command/dispatch.ts'
import { COMMANDS } from '../../src/command/table.ts'
import { Inbox } from '../../src/events/inbox.ts'
import { Library } from '../../src/library/library.ts'
import { createParser } from '../../src/library/parser.ts'
import { createLog } from '../../src/log.ts'
import { createPackageServices } from '../../src/packages/create.ts'
import { Runtime } from '../../src/runtime/runtime.ts'
import { Searcher } from '../../src/search/searcher.ts'
import { ShellHost } from '../../src/shell/shell-host.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import { createPageFetcher } from '../../src/web/fetch-page.ts'
import { createAdmission, createRequester } from '../../src/web/request.ts'

export interface TestRuntime {
  readonly home: string
  readonly result: (command: string, topic?: string, cwd?: string | null) => Promise<Result>
  readonly reply: (command: string, topic?: string, cwd?: string | null) => Promise<string>
  readonly chanflow: (command: string, topic?: string) => Promise<string>
}

/** What a test is told of work that is about to be done. */
interface Watch {
  readonly onParse?: (chars: number) => void
  readonly onFetch?: (url: string) => void
}

/** The runtime without its HTTP side: one result, in both of its renderings. */
export function testRuntime({ onParse, onFetch }: Watch = {}): TestRuntime {
  const dir = tempDir()
  const home = join(dir, 'home')
  mkdirSync(home)
  mkdirSync(join(dir, 'data'))
  const parser = createParser()
  const parse: typeof parser = (task) => {
    onParse?.(task.text.length)
    return parser(task)
  }
  const fetcher = createPageFetcher({ ownPort: () => 1 })
  const fetch: typeof fetcher = (url, request) => {
    onFetch?.(url)
    return fetcher(url, request)
  }
  const log = createLog(() => undefined)
  const runtime = new Runtime({
    dispatch: createDispatch(COMMANDS),
    complete: createComplete(COMMANDS),
    send: createRequester({ ownPort: () => 1 }),
    searcher: new Searcher(),
    library: new Library(parse, fetch),
    ...createPackageServices({
      dataDir: join(dir, 'data'),
      log,
      fetch,
      parse: (text) => parse({ kind: 'markdown', text }),
      hasProgram: () => true,
      git: () => Promise.reject(new Error('There is no git here')),
      admit: createAdmission({ ownPort: () => 1 }),
    }),
    environment: {},
    shells: new ShellHost({
      environment: { PATH: process.env.PATH ?? '' },
      current: () => ({ PATH: process.env.PATH ?? '' }),
      dataDir: join(dir, 'data'),
      dataId: 'test',
      port: 1,
      binDir: '/',
      execMs: 10_000,
      waitMs: 10_000,
    }),
    dataDir: join(dir, 'data'),
    log,
    inbox: new Inbox(openSqlite(join(dir, 'data/state.db'), { log })),
    isHome: (path) => path === home,
    hubPage: () => '',
    deliveries: () => Promise.resolve([]),
    turns: () => Promise.resolve([]),
    topicChanged: () => undefined,
    wakeFor: () => Promise.reject(new Error('No program is woken')),
    system: () => {
      throw new Error('No hub is asked for')
    },
  })
  const agent = { id: 'default', home, allowedPaths: [], createdAt: '' }
  const result: TestRuntime['result'] = async (command, name = 'main', cwd = null) => {
    const topic = parseTopic(name)
    if (topic === null) throw new Error(`Not a topic: ${name}`)
    const outcome = await runtime.exec({ agent, topic, command, cwd })
    if (outcome.kind !== 'done') throw new Error(outcome.kind)
    return outcome.result
  }
  return {
    home,
    result,
    reply: async (command, topic, cwd) => replyBody(await result(command, topic, cwd)),
    chanflow: async (command, topic) => chanFlowBody(await result(command, topic)),
  }
}
