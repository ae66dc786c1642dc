import type { TurnResult } from '@string-os/bridge'
import { failureReport } from '../bridge/failure-report.ts'
import { noteLine, stepLines, type TurnOutput, warn } from '../bridge/turn-output.ts'
import { dim } from '../terminal/color.ts'
import type { Stage } from '../terminal/editor/stage.ts'
import type { MarkdownStream } from '../terminal/markdown/stream.ts'
import { startSpinner } from '../terminal/spinner.ts'

/** The same, where a person reads it: the end may be looked at for a while. */
export interface ReadOutput extends Omit<TurnOutput, 'finish'> {
  readonly finish: (result: TurnResult) => Promise<void>
  /** Somebody has cancelled the turn, and its agent may take its time to end. */
  readonly cancelling: () => void
}

const CANCELLING = 'cancelling; Ctrl-C again ends it now'

/** Where it is shown. */
interface Place {
  readonly stage: Stage
  readonly color: boolean
  /** Shows an answer that comes whole, from its top on. */
  readonly page: (answer: string) => Promise<void>
}

/** A turn as a person reads it: its Markdown laid out as it comes. */
export function markdownOutput(stream: MarkdownStream, { stage, color, page }: Place): ReadOutput {
  let spinner = startSpinner('the agent works', stage.spinnerPlace)
  let hasAnswered = false
  let isCancelling = false
  /** What is said after it would take its place: then it is a line of its own. */
  const keepCancelling = (): void => {
    if (!isCancelling) return
    isCancelling = false
    breakLine()
    stage.print(dim(`(${CANCELLING})`, color))
  }
  const write = (text: string): void => {
    if (text !== '') keepCancelling()
    if (text !== '') spinner.stop()
    hasAnswered ||= text.trim() !== ''
    stream.push(text)
  }
  const breakLine = (): void => {
    spinner.stop()
    stream.end()
  }
  const besides = (write: () => void): void => {
    keepCancelling()
    breakLine()
    stage.aside(write)
  }
  return {
    partial: write,
    warning: (text) => besides(() => warn(text)),
    note: (text) => besides(() => process.stderr.write(noteLine(text, color))),
    step: (step) => besides(() => process.stderr.write(stepLines(step, color))),
    finish: async (result) => {
      breakLine()
      // What has begun to stream goes on below that.
      if (hasAnswered) write(result.reply)
      else if (result.reply.trim() !== '') {
        hasAnswered = true
        await page(result.reply)
      }
      if (result.ok && !hasAnswered) besides(() => process.stderr.write(noteLine('no answer', color)))
      besides(() => process.stderr.write(failureReport(result, color && process.stderr.isTTY)))
    },
    breakLine,
    cancelling: () => {
      breakLine()
      isCancelling = true
      spinner = startSpinner(CANCELLING, stage.spinnerPlace)
      // That it was heard is not told later.
      stage.spinnerPlace.show(CANCELLING)
    },
  }
}
