import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export const NO_BROWSER = { skipped: 'there is no Chromium; install it, or set STRING_TEST_CHROMIUM' }

/** A Chromium that ends with the context; null where there is none. */
export async function startBrowser(context) {
  const executablePath = process.env.STRING_TEST_CHROMIUM ?? KNOWN.find((path) => existsSync(path))
  if (executablePath === undefined) return null
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  })
  context.onClose(() => void browser.close().catch(console.error))
  return browser
}

/**
 * How long the longest task of the page's thread took, by the browser's trace of what is done meanwhile: in ms of a
 * processor, and by the wall. The agents and the daemon share the machine with the browser: how long the thread waited
 * for its turn is not the page's.
 */
export async function longestTask(browser, page, work) {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8'))
  const own = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && own.has(`${pid} ${tid}`))
  if (tasks.length === 0) throw new Error('The trace has no tasks')
  const longest = (times) => Math.max(...times) / 1000
  return { own: longest(tasks.map(({ tdur = 0 }) => tdur)), wall: longest(tasks.map(({ dur = 0 }) => dur)) }
}
