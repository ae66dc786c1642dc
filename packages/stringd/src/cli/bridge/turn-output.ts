import type { TurnResult } from '@string-os/bridge'
import { type TurnStepView, visibleLine, visibleText } from '@string-os/protocol'
import { startSpinner } from '../terminal/spinner.ts'
import { failureReport } from './failure-report.ts'

/** Where a turn is shown while it runs and when it is over. */
export interface TurnOutput {
  readonly partial: (text: string) => void
  readonly warning: (text: string) => void
  /** What an agent had done by its blocks. */
  readonly step: (step: TurnStepView) => void
  readonly finish: (result: TurnResult) => void
  /** Makes room for a line of somebody else. */
  readonly breakLine: () => void
}

/** NDJSON: `partial` lines and at last one `result`. */
export function jsonOutput(): TurnOutput {
  const line = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`)
  return {
    partial: (text) => line({ type: 'partial', text }),
    warning: warn,
    step: () => undefined,
    finish: ({ said: _, agent_error: __, usage, ...result }) =>
      line({ type: 'result', ...result, ...(usage === null ? {} : { usage }) }),
    breakLine: () => undefined,
  }
}

/** For a person or a pipe: text on standard output as it comes, errors and warnings on standard error. */
export function plainOutput(color: boolean): TurnOutput {
  const spinner = startSpinner('the agent works')
  let isMidLine = false
  const write = (text: string): void => {
    if (text === '') return
    spinner.stop()
    isMidLine = !text.endsWith('\n')
    process.stdout.write(process.stdout.isTTY ? visibleText(text) : text)
  }
  const breakLine = (): void => {
    spinner.stop()
    if (isMidLine) write('\n')
  }
  return {
    partial: write,
    warning: (text) => {
      breakLine()
      warn(text)
    },
    step: (step) => {
      breakLine()
      process.stderr.write(stepLines(step))
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

/** A line for each block, beside the answer. */
export function stepLines({ index, blocks }: TurnStepView): string {
  const rows = blocks.map(({ channel, topic, cmd, ok, code }) => {
    const place = visibleLine(`${channel}:${topic}`)
    return `(step ${index}) ${place} ${visibleLine(cmd)}: ${ok ? 'ok' : (code ?? 'failed')}\n`
  })
  return rows.join('')
}

export function warn(text: string): void {
  process.stderr.write(`warning: ${visibleLine(text)}\n`)
}
