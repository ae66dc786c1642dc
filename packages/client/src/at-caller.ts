import { StringClientError } from './errors.ts'

/** Enough to come from a connection to whoever asked. */
const FRAMES = 50

/** What is not awaited is in no line of a stack; to keep the line of every call would cost each of them. */
const UNAWAITED = '    at a call that no line awaits: is an await missing?'

/**
 * An error as it is of use to whoever asked, who may not catch it: its stack has the lines of their program alone. Where in this
 * library, and in Node, a connection was refused tells them nothing.
 */
export function atCaller(error: unknown): unknown {
  if (!(error instanceof StringClientError) || Error.captureStackTrace === undefined) return error
  const [own = '', ...frames] = framesHere()
  const [, file = null] = /(\/[^():]+):\d+:\d+\)?$/.exec(own) ?? []
  const theirs = frames.filter((frame) => !frame.includes('node:internal') && (file === null || !frame.includes(file)))
  error.stack = [`${error.name}: ${error.message}`, ...(theirs.length === 0 ? [UNAWAITED] : theirs)].join('\n')
  if (error.cause instanceof Error) error.cause.stack = `${error.cause.name}: ${error.cause.message}`
  return error
}

function framesHere(): readonly string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = FRAMES
  const { stack = '' } = new Error('here')
  Error.stackTraceLimit = stackTraceLimit
  return stack.split('\n').filter((line) => /^\s+at /.test(line))
}
