import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { longestTask, NO_BROWSER, startBrowser } from '../lib/browser.mjs'
import { SHOWN, streamingAgents } from '../lib/streaming-agents.mjs'

const LOOKS = 5
const TRACED_SECS = 10
/** So many turns a conversation shows, and so long it may take until they have been said. */
const SHOWN_TURNS = 20
const WARM_MS = 300_000
const LOOK_SECS = 60

const pageSize = {
  name: 'page: its files, packed',
  unit: 'KB',
  better: 'lower',
  bar: 120,
  dream: 60,
  measure({ programs }) {
    const folder = join(programs, 'dist/page')
    const files = readdirSync(folder)
    if (files.length !== 3) throw new Error(`The page has ${files.length} files`)
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0)
    return { base: null, ours: bytes / 1024 }
  },
}

/** Beside its three files, and the stream that says what changes. */
const pageRequests = {
  name: 'page: requests for data to its first sight',
  unit: '',
  better: 'lower',
  bar: 3,
  dream: null,
  async measure(context) {
    const browser = await startBrowser(context)
    if (browser === null) return NO_BROWSER
    const { port } = await context.startDaemon()
    const page = await browser.newPage()
    const files = ['/', '/page.js', '/page.css', '/watch']
    const asked = []
    page.on('request', (request) => asked.push(new URL(request.url())))
    await openPage(page, port)
    return {
      base: null,
      ours: asked.filter(({ protocol, pathname }) => protocol === 'http:' && !files.includes(pathname)).length,
    }
  },
}

/** From the first byte that the daemon answers to the rows on the screen. */
const pageFirstSight = {
  name: 'page: first sight while 50 of 1,000 agents stream, with 100,000 turns and 1,000,000 events',
  unit: 'ms',
  better: 'lower',
  bar: 1_000,
  dream: 200,
  stage: streamingAgents,
  async measure(_, { browser, port }) {
    const times = []
    for (let look = 0; look < LOOKS; look += 1) {
      const page = await browser.newPage()
      await page.addInitScript(noteFirstRow)
      await openPage(page, port)
      const [answered, seen] = await page.evaluate(() => [
        performance.getEntriesByType('navigation')[0].responseStart,
        globalThis.firstRowAt,
      ])
      times.push(seen - answered)
      await page.close()
    }
    return { base: null, ours: times.sort((a, b) => a - b)[Math.floor(LOOKS / 2)] }
  },
}

/** Half of the time all agents are in sight, half of it the conversation with one. */
const pageFrames = {
  name: 'page: longest task while 50 agents stream, its own time',
  unit: 'ms',
  better: 'lower',
  bar: 50,
  dream: 16,
  stage: streamingAgents,
  async measure(_, { browser, port }) {
    const page = await browser.newPage()
    const longest = []
    for (const hash of ['#/', `#/agents/${SHOWN}`]) {
      await openPage(page, port, hash)
      longest.push(await longestTask(browser, page, () => sleep(TRACED_SECS * 1_000)))
    }
    await page.close()
    console.error(`       by the wall: ${Math.max(...longest.map(({ wall }) => wall)).toFixed(1)} ms`)
    return { base: null, ours: Math.max(...longest.map(({ own }) => own)) }
  },
}

/** Base is what the tab holds once all that it shows was said meanwhile, ours what it holds later; both without garbage. */
const pageMemory = {
  name: 'page: memory of the tab while 50 agents stream',
  unit: 'MiB',
  better: 'lower',
  bar: 1.25,
  dream: 1,
  stage: streamingAgents,
  async measure({ streamSecs }, { browser, port }) {
    const page = await browser.newPage()
    await page.addInitScript(noteSlowFrames)
    await openPage(page, port, `#/agents/${SHOWN}`)
    await page
      .locator('.turn')
      .nth(SHOWN_TURNS - 1)
      .waitFor({ timeout: WARM_MS })
    const base = await heldBy(page)
    const held = [base]
    for (let left = streamSecs; left > 0; left -= LOOK_SECS) {
      await sleep(Math.min(left, LOOK_SECS) * 1_000)
      held.push(await heldBy(page))
    }
    const frames = await page.evaluate(slowFrames)
    console.error(`       MiB: ${held.map(({ mib }) => mib.toFixed(2)).join(' ')}`)
    console.error(`       nodes: ${held.map(({ nodes }) => nodes).join(' ')}`)
    const told = frames.map(
      ({ startTime, duration }) => `${duration.toFixed(0)} ms at ${(startTime / 1_000).toFixed(1)} s`,
    )
    console.error(`       frames over 50 ms by the wall: ${told.join(', ') || 'none'}`)
    return { base: base.mib, ours: held.at(-1).mib }
  },
}

export const pageRows = [pageSize, pageRequests, pageFirstSight, pageFrames, pageMemory]

async function openPage(page, port, hash = '') {
  await page.goto(`http://127.0.0.1:${port}/${hash}`)
  await page.getByText('live', { exact: true }).waitFor()
  await page.locator('main [data-row]').first().waitFor()
}

function noteFirstRow() {
  new MutationObserver((_, observer) => {
    if (document.querySelector('.agent-rows [data-row]') === null) return
    observer.disconnect()
    requestAnimationFrame(() => {
      globalThis.firstRowAt = performance.now()
    })
  }).observe(document, { childList: true, subtree: true })
}

/** By the clock, on a machine that the agents, the daemon and the browser share. */
function noteSlowFrames() {
  globalThis.slowFrames = []
  globalThis.looks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) globalThis.slowFrames.push({ startTime, duration })
  }).observe({ type: 'long-animation-frame' })
}

/** All but those in which we made the page collect its garbage. */
function slowFrames() {
  const { slowFrames: frames, looks } = globalThis
  const isOurs = ({ startTime, duration }) => looks.some((at) => at >= startTime && at <= startTime + duration)
  return frames.filter((frame) => !isOurs(frame))
}

async function heldBy(page) {
  return page.evaluate(() => {
    globalThis.looks?.push(performance.now())
    globalThis.gc()
    return {
      mib: performance.memory.usedJSHeapSize / 1024 / 1024,
      nodes: document.querySelectorAll('*').length,
    }
  })
}
