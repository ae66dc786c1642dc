/**
 * Whether a caller would rather have one JSON object than a stream of events. A stream is what everyone gets who takes
 * both as gladly, as `*` does: it is what the protocol promises.
 */
export function prefersJson(accept: string | undefined): boolean {
  // What nearly everyone sends needs no reading.
  if (accept === undefined || accept === '*/*' || accept === 'text/event-stream') return false
  const ranges = accept.split(',').map(readRange)
  return quality('application/json', ranges) > quality('text/event-stream', ranges)
}

interface MediaRange {
  readonly type: string
  readonly quality: number
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  return { type, quality: given === undefined ? 1 : Number(given.slice(2)) || 0 }
}

/** The most exact range that covers a type decides. */
function quality(type: string, ranges: readonly MediaRange[]): number {
  const names = [type, type.replace(/\/.*/, '/*'), '*/*']
  const found = names.flatMap((name) => ranges.filter((range) => range.type === name))
  return found[0]?.quality ?? 0
}
