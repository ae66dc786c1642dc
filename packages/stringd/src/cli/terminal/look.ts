import type { Config } from '../../config.ts'

/** How text is written to a stream. */
export interface StreamLook {
  readonly color: boolean
  /** Of the terminal; null where nobody reads it there: then nothing is cut. */
  readonly width: number | null
}

const USUAL_COLUMNS = 80

/** The one place that decides: colours and a width are for a person at a terminal, never for a pipe or a file. */
export function lookOf(stream: NodeJS.WriteStream, { color }: Pick<Config, 'color'>): StreamLook {
  if (stream.isTTY !== true) return { color: false, width: null }
  return { color, width: stream.columns || USUAL_COLUMNS }
}
