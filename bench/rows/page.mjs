import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { longestTask, NO_BROWSER, startBrowser } from '../lib/browser.mjs'
import { loadEngines } from '../lib/engines.mjs'
import { fillSqlite as fillEvents, SIZES, storedTimes } from '../lib/stored-events.mjs'
import { fillSqlite as fillTurns } from '../lib/stored-turns.mjs'

const AGENTS = 1_000
const TURNS = 100_000
const STREAMS = 50
const STREAM_SECS = 12
const MEMORY_SECS = 60

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

/** From the daemon's answer to the rows on the screen. */
const pageFirstSight = {
  name: 'page: first sight of 1,000 agents, 100,000 turns and 1,000,000 events',
  unit: 'ms',
  better: 'lower',
  bar: 1_000,
  dream: 200,
  async measure(context) {
    const browser = await startBrowser(context)
    if (browser === null) return NO_BROWSER
    const engines = await loadEngines(context)
    const fill = async (data) => {
      await fillEvents(engines, data, SIZES.grown, storedTimes(engines))
      await fillTurns(engines, join(data, 'state.db'), TURNS)
    }
    const { port, connect } = await context.startDaemon({ fill })
    const connection = connect()
    for (let number = 0; number < AGENTS; number += 1) await connection.send('/agents', { agent_id: `agent-${number}` })
    const page = await browser.newPage()
    await page.addInitScript(noteFirstRow)
    await openPage(page, port)
    const ours = await page.evaluate(
      () =>
        globalThis.firstRowAt -
        performance.getEntriesByType('resource').find(({ name }) => new URL(name).pathname === '/agents').responseEnd,
    )
    return { base: null, ours }
  },
}

const pageFrames = {
  name: 'page: longest task while 50 agents stream, its own time',
  unit: 'ms',
  better: 'lower',
  bar: 50,
  dream: 16,
  async measure(context) {
    const streaming = await startStreams(context, STREAM_SECS + 10)
    if (streaming === null) return NO_BROWSER
    const { browser, page } = streaming
    return { base: null, ours: await longestTask(browser, page, () => sleep(STREAM_SECS * 1_000)) }
  },
}

/** Base is what the tab holds after ten seconds, ours what it holds a minute later; both without garbage. */
const pageMemory = {
  name: 'page: memory of the tab while 50 agents stream',
  unit: 'MiB',
  better: 'lower',
  bar: 1.25,
  dream: 1,
  async measure(context) {
    const streaming = await startStreams(context, MEMORY_SECS + 20)
    if (streaming === null) return NO_BROWSER
    const { page } = streaming
    await sleep(10_000)
    const base = await heapMiB(page)
    await sleep(MEMORY_SECS * 1_000)
    return { base, ours: await heapMiB(page) }
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

/** Many agents that stream, and a tab that shows one of them and counts all. */
async function startStreams(context, seconds) {
  const browser = await startBrowser(context)
  if (browser === null) return null
  const { port, home, connect } = await context.startDaemon()
  const profile = join(home, 'stream.yaml')
  writeFileSync(profile, `command: ${join(import.meta.dirname, '../agents/stream.sh')}\nstreaming: true\n`)
  const connection = connect()
  for (let number = 0; number < STREAMS; number += 1) {
    await connection.send('/agents', { agent_id: `agent-${number}`, profile })
  }
  const leave = new AbortController()
  context.onClose(() => leave.abort())
  for (let number = 0; number < STREAMS; number += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/agents/agent-${number}/turns`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: String(seconds) }),
      signal: leave.signal,
    })
    void response.body.cancel()
  }
  const page = await browser.newPage()
  await openPage(page, port, '#/agents/agent-1')
  await page.getByText('word 5 of').first().waitFor()
  return { browser, page }
}

async function heapMiB(page) {
  const bytes = await page.evaluate(() => {
    globalThis.gc()
    return performance.memory.usedJSHeapSize
  })
  return bytes / 1024 / 1024
}
