import type { Socket } from 'node:net'
import { LIMITS } from '@string-os/protocol'
import { rawError } from './respond.ts'

const CLIENT_ERRORS: ReadonlyMap<string, readonly [number, string, string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'Request Header Fields Too Large', `Headers exceed ${LIMITS.headerBytes} bytes`]],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'Payload Too Large', 'Chunk extensions are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout', 'The request took too long to arrive']],
])

/** What the parser refuses is answered like any other error, and the connection ends. */
export function answerClientError({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  const [status, reason, text] = CLIENT_ERRORS.get(code) ?? [400, 'Bad Request', 'Malformed HTTP request']
  endRaw(socket, rawError(status, reason, text))
}

/** Answers on a connection without a request, lets the other side read that, and ends it. */
export function endRaw(socket: Socket, answer: string): void {
  socket.end(answer)
  socket.resume()
  setTimeout(() => socket.destroy(), LIMITS.drainMs).unref()
}
