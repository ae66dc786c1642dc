import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'

const source = join(import.meta.dirname, '../../test/support/worst-inputs.ts')

/** The inputs that the tests use, whole. */
async function loadInputs() {
  const { code } = transformSync(readFileSync(source, 'utf8'), { loader: 'ts', format: 'esm' })
  const { worstInputs } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
  return worstInputs()
}

/** How long a daemon left others waiting at most while each of the worst inputs was worked on: rows of name and milliseconds. */
export async function worstDelays(daemon) {
  const home = dirname(daemon.note)
  const worker = daemon.connect()
  const watcher = daemon.connect()
  const delays = []
  for (const [name, inputs] of Object.entries(await loadInputs())) {
    for (const [number, input] of inputs.entries()) {
      for (const [path, text] of Object.entries(input.files ?? {})) {
        mkdirSync(dirname(join(home, path)), { recursive: true })
        writeFileSync(join(home, path), text)
      }
      const topic = `${name.replace('.', '-')}-${number}`
      for (const cmd of input.before ?? []) await worker.send('/exec', { cmd, topic })
      let isOver = false
      const work = worker.send('/exec', { cmd: input.command, topic }).finally(() => {
        isOver = true
      })
      let longest = 0
      while (!isOver) {
        const asked = performance.now()
        await watcher.send('/exec', { cmd: '/close', topic: 'watcher' })
        longest = Math.max(longest, performance.now() - asked)
      }
      await work
      delays.push({ name: `${name} ${number}`, ms: longest })
    }
  }
  return delays
}
