import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '@string-os/protocol'

const root = join(import.meta.dirname, '../../..')

/** One message on the wire between a client and `string --mcp`, or how that process ended. */
export type WireEntry =
  | { readonly from: 'client' | 'server'; readonly message: unknown }
  | { readonly from: 'system'; readonly ended: string }

/** An installed String whose `string --mcp` writes down what passes through it. It is the same process, with the same signals. */
export function installTapped(dir: string): { bin: string; wire: () => WireEntry[] } {
  const built = join(root, 'packages/stringd')
  const program = join(dir, 'program')
  const records = join(dir, 'wire')
  mkdirSync(join(program, 'bin'), { recursive: true })
  mkdirSync(records)
  cpSync(join(built, 'dist'), join(program, 'dist'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'))
  const script = join(program, 'bin/string.cjs')
  writeFileSync(script, tap(records))
  chmodSync(script, 0o755)
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  symlinkSync(script, join(bin, 'string'))
  return { bin, wire: () => readWire(records) }
}

/** The launcher, with ears: before it loads the program, what is read and written is copied to a file. */
function tap(records: string): string {
  return `#!/usr/bin/env node
if (process.argv.includes('--mcp')) {
  const { appendFileSync } = require('node:fs')
  const file = ${JSON.stringify(records)} + '/' + Date.now() + '-' + process.pid
  const note = (from, data) => appendFileSync(file, JSON.stringify({ from, data }) + '\\n')
  const { push } = process.stdin
  process.stdin.push = function (chunk, encoding) {
    note(chunk === null ? 'system' : 'client', chunk === null ? 'end of input' : chunk.toString())
    return push.call(this, chunk, encoding)
  }
  const { write } = process.stdout
  process.stdout.write = function (chunk, ...rest) {
    if (chunk !== '') note('server', chunk.toString())
    return write.call(this, chunk, ...rest)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const heard = () => {
      note('system', name)
      process.off(name, heard)
      if (process.listenerCount(name) === 0) process.kill(process.pid, name)
    }
    process.on(name, heard)
  }
}
require('../dist/cli.cjs')
`
}

interface Chunk {
  readonly from: WireEntry['from']
  readonly data: string
}

/** Chunks need not end where lines do. */
function readWire(records: string): WireEntry[] {
  if (!existsSync(records)) return []
  return readdirSync(records)
    .toSorted()
    .flatMap((name) => {
      const partial = { client: '', server: '' }
      return readFileSync(join(records, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line): WireEntry[] => {
          const { from, data } = JSON.parse(line) as Chunk
          if (from === 'system') return [{ from, ended: data }]
          const lines = (partial[from] + data).split('\n')
          partial[from] = lines.pop() ?? ''
          return lines.filter((text) => text !== '').map((text) => ({ from, message: parseJson(text) }))
        })
    })
}
