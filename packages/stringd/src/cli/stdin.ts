import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { usageError } from './exit.ts'

/** All of standard input, as text. */
export async function readStdin(): Promise<string> {
  const bytes = await buffer(process.stdin)
  if (!isUtf8(bytes)) throw usageError('Standard input is not UTF-8 text')
  return bytes.toString('utf8')
}
