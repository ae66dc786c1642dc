import { createInterface } from 'node:readline/promises'
import { visibleText } from '@string-os/protocol'
import { prose } from './terminal/prose.ts'

/** Asks the person at the terminal; only a clear yes counts. Null where nobody can be asked. */
export async function ask(question: string): Promise<boolean | null> {
  if (!(process.stdin.isTTY && process.stderr.isTTY)) return null
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const left = new Promise<string>((resolve) => {
    lines.on('close', () => resolve(''))
  })
  const answer = await Promise.race([
    lines.question(`${prose(`${visibleText(question)} [y/N]`, process.stderr)} `),
    left,
  ])
  lines.close()
  return /^y(?:es)?$/i.test(answer.trim())
}
