import { failureReport } from '../bridge/failure-report.ts'
import { noteLine, stepLines, type TurnOutput, warn } from '../bridge/turn-output.ts'
import type { MarkdownStream } from '../terminal/markdown/stream.ts'
import { startSpinner } from '../terminal/spinner.ts'

/** A turn as a person reads it: its Markdown laid out as it comes. */
export function markdownOutput(stream: MarkdownStream, color: boolean): TurnOutput {
  const spinner = startSpinner('the agent works')
  const write = (text: string): void => {
    if (text !== '') spinner.stop()
    stream.push(text)
  }
  const breakLine = (): void => {
    spinner.stop()
    stream.end()
  }
  return {
    partial: write,
    warning: (text) => {
      breakLine()
      warn(text)
    },
    note: (text) => {
      breakLine()
      process.stderr.write(noteLine(text, color))
    },
    step: (step) => {
      breakLine()
      process.stderr.write(stepLines(step, color))
    },
    finish: (result) => {
      breakLine()
      write(result.reply)
      breakLine()
      process.stderr.write(failureReport(result, color && process.stderr.isTTY))
    },
    breakLine,
  }
}
