import { type ChanFlowReply, quoted, visibleText } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { connectAs } from '../agent/connect-as.ts'
import type { Invocation } from '../arguments.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { readStdin } from '../stdin.ts'
import { workingDir } from '../working-dir.ts'

/** `string chanflow [--rest]`: runs the blocks of standard input and prints the reply blocks. */
export async function runChanFlowVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), { rest: { type: 'boolean' } })
  const [extra] = words
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)} (string chanflow [--rest] < TEXT)`)
  const folder = workingDir(invocation.cwd)
  const input = await readStdin()
  const reply: ChanFlowReply = await (await connectAs(invocation, config)).chanflow(input, {
    cwd: folder,
    cancelOnLeave: true,
  })
  if (invocation.format === 'json') print(process.stdout, `${JSON.stringify(reply)}\n`)
  else if (reply.text !== '') print(process.stdout, `${reply.text}\n`)
  if (reply.blocks.length === 0 && process.stderr.isTTY)
    process.stderr.write('string: no block was found, so nothing ran; a block is <𝒞=string:TOPIC> COMMAND </𝒞>\n')
  if (values.rest) print(process.stderr, reply.rest)
  return reply.blocks.every(({ ok }) => ok) ? EXIT.ok : EXIT.commandError
}

/** A terminal does what control characters say, so there they are made visible. */
function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(stream.isTTY ? visibleText(text) : text)
}
