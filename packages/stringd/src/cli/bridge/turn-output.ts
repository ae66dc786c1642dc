import type { TurnResult } from '@string-os/bridge'
import { type TurnStepView, visibleLine, visibleText } from '@string-os/protocol'
import { dim, red } from '../terminal/color.ts'
import { fitColumns } from '../terminal/columns.ts'
import { prose } from '../terminal/prose.ts'
import { startSpinner } from '../terminal/spinner.ts'
import { failureReport, silenceReport } from './failure-report.ts'

/** Where a turn is shown while it runs and when it is over. */
export interface TurnOutput {
  readonly partial: (text: string) => void
  readonly warning: (text: string) => void
  /** What is no warning, and not said by the agent either. */
  readonly note: (text: string) => void
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
    note: () => undefined,
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
  let hasAnswered = false
  const write = (text: string): void => {
    if (text === '') return
    spinner.stop()
    isMidLine = !text.endsWith('\n')
    hasAnswered ||= text.trim() !== ''
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
      if (result.ok && !hasAnswered)
        process.stderr.write(noteLine('no answer', color) + silenceReport(result, color && process.stderr.isTTY))
      process.stderr.write(failureReport(result, color && process.stderr.isTTY))
    },
    breakLine,
  }
}

/** A line for each block, beside the answer. */
export function stepLines({ index, blocks }: TurnStepView, color: boolean): string {
  const { isTTY, columns } = process.stderr
  const rows = blocks.map(({ channel, topic, cmd, ok, code }) => {
    const end = `: ${ok ? 'ok' : (code ?? 'failed')}`
    const row = `(step ${index}) ${visibleLine(`${channel}:${topic}`)} ${visibleLine(cmd)}`
    const fit = isTTY ? fitColumns(row, Math.max(1, columns - end.length)) : row
    return `${(ok ? dim : red)(`${fit}${end}`, color && isTTY)}\n`
  })
  return rows.join('')
}

/** Beside the answer, too. */
export function noteLine(text: string, color: boolean): string {
  return `${dim(prose(`(${visibleLine(text)})`, process.stderr), color && process.stderr.isTTY)}\n`
}

export function warn(text: string): void {
  process.stderr.write(`${prose(`warning: ${visibleLine(text)}`, process.stderr)}\n`)
}
