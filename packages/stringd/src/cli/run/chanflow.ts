import { type ChanFlowReply, visibleText } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { readStdin } from '../stdin.ts'
import { workingDir } from '../working-dir.ts'

/** `string chanflow [--rest]`: runs the blocks of standard input and prints the reply blocks. */
export async function runChanFlowVerb({ words, format, cwd }: Invocation, config: Config): Promise<number> {
  const [unknown] = words.slice(1).filter((word) => word !== '--rest')
  if (unknown !== undefined) throw usageError(`Unknown: ${unknown} (string chanflow [--rest] < TEXT)`)
  const folder = workingDir(cwd)
  const input = await readStdin()
  const reply: ChanFlowReply = await (await connect(config)).chanflow(input, { cwd: folder, cancelOnLeave: true })
  if (format === 'json') print(process.stdout, `${JSON.stringify(reply)}\n`)
  else if (reply.text !== '') print(process.stdout, `${reply.text}\n`)
  if (words.includes('--rest')) print(process.stderr, reply.rest)
  return reply.blocks.every(({ ok }) => ok) ? EXIT.ok : EXIT.commandError
}

/** A terminal does what control characters say, so there they are made visible. */
function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(stream.isTTY ? visibleText(text) : text)
}
