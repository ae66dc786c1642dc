import { visibleLine } from '@string-os/protocol'
import { fitText } from '../terminal/cells.ts'

const SHOWN_COLUMNS = 60

/** A command as it is named in a sentence. */
export function shortCommand(command: string): string {
  return fitText(visibleLine(command), SHOWN_COLUMNS)
}
