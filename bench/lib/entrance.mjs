import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const SERVER = new URL('../bases/entrance-server.mjs', import.meta.url)
const DIST = join(import.meta.dirname, '../../packages/stringd/dist')
const PER_SECOND = 500

/** The HTTP side of the daemon from its sources: with what stands in front of it, and without. */
export async function startEntrances(context, key) {
  const outfile = join(context.folder, 'entrance.cjs')
  const define = { DIST_DIR: JSON.stringify(DIST) }
  const options = { bundle: true, platform: 'node', format: 'cjs', conditions: ['source'], external: ['libsql'] }
  await build({ ...options, define, entryPoints: [fileURLToPath(SERVER)], outfile, logLevel: 'error' })
  const url = pathToFileURL(outfile)
  return {
    open: await context.startBase(url, { looks: false, key }),
    guarded: await context.startBase(url, { looks: true, key }),
  }
}

/** Opens so many connections in a second, whatever becomes of them, with one request each; what each has cost the server. */
export async function connectionCost({ port, pid }, { seconds, key }) {
  const count = seconds * PER_SECOND
  const before = processorMs(pid)
  const started = performance.now()
  const times = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep((index * 1000) / PER_SECOND)
      return oneRequest(port, key)
    }),
  )
  const elapsedMs = performance.now() - started
  const cost = (processorMs(pid) - before) / count
  times.sort((a, b) => a - b)
  return { microseconds: cost * 1000, medianMs: times[count / 2], slowMs: times[Math.floor(count * 0.99)], elapsedMs }
}

function oneRequest(port, key) {
  const head = `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n${key === null ? '' : `X-String-Key: ${key}\r\n`}`
  return new Promise((resolve, reject) => {
    const started = performance.now()
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text
    })
    socket.on('error', reject)
    socket.on('close', () => {
      if (answer.startsWith('HTTP/1.1 200 ')) resolve(performance.now() - started)
      else reject(new Error(`A connection was answered: ${answer}`))
    })
    socket.write(`${head}Connection: close\r\n\r\n`)
  })
}

/** User and system time of all threads, which the kernel counts in hundredths of a second. */
function processorMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
