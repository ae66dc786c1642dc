import type { Failure, Pagers } from '@string-os/protocol'
import type { TopicShell } from '../command/core/context.ts'
import type { BashShell } from '../shell/bash/bash-shell.ts'
import type { ShellState } from '../shell/bash/shell-state.ts'
import type { ShellHost, ShellTopic, Stoppable } from '../shell/shell-host.ts'

export interface TopicShellParts {
  readonly shells: ShellHost
  readonly place: ShellTopic
  /** Where commands run; working that out takes as long as a small command. */
  readonly start: () => string
  /** Of a command's output, what an answer has room for. */
  readonly shownBytes: number
  /** When the caller gives up, where that is known. */
  readonly deadline: number | undefined
  /** How long input is waited for, where that is less than usual. */
  readonly shellWaitMs: number | null
  /** Up to where the caller has read what the shell printed, where that was said. */
  readonly shellSeen: string | null
  /** What is typed is no input for what runs. */
  readonly isAtPrompt: boolean
  readonly hasStyles: boolean
  /** Which rows of what a program draws the caller wants. */
  readonly drawn: 'over' | 'all' | null
  /** Those of whoever types, where that is a person. */
  readonly pagers: Pagers | null
  readonly running: Stoppable & { readonly signal: AbortSignal }
}

/** What a topic may start. */
export function topicShell(parts: TopicShellParts): TopicShell {
  const {
    shells,
    place,
    start,
    shownBytes,
    deadline,
    shellWaitMs,
    shellSeen: seen,
    isAtPrompt,
    hasStyles,
    drawn,
    pagers,
    running,
  } = parts
  const patienceMs = deadline === undefined ? Number.POSITIVE_INFINITY : Math.max(1, deadline - performance.now())
  const inputMs = Math.min(patienceMs, shellWaitMs ?? Number.POSITIVE_INFINITY)
  const execMs = Math.min(patienceMs, shells.execMs)
  const reader = seen === null ? null : { seen, bytes: shownBytes, isPacing: isAtPrompt }
  const living = (): BashShell | null => shells.shell(place)
  const ended = async (): Promise<ShellState | null> => shells.endedShell(place, seen)?.wait(0, reader) ?? null
  /** Only who reads on has rows before them. */
  const withRows = async <State extends ShellState | Failure | null>(answered: Promise<State>): Promise<State> => {
    if (seen === null || drawn === null) return answered
    const state = await answered
    const shell = living()
    return state?.ok && shell !== null ? { ...state, drawn: await shell.drawn(seen, drawn) } : state
  }
  return {
    execMs,
    shownBytes,
    isPlaceTold: seen !== null,
    hasStyles,
    exec: (run) => shells.exec(place, { ...run, limitMs: execMs }),
    input: (text) =>
      withRows(shells.input(place, { start, text, waitMs: inputMs, reader, isAtPrompt, pagers, caller: running })),
    wait: (waitMs) => withRows(living()?.wait(Math.min(waitMs, inputMs), reader, running.signal) ?? ended()),
    interrupt: () => withRows(living()?.interrupt(reader) ?? ended()),
    type: (characters) => withRows(living()?.type(characters, inputMs, reader) ?? ended()),
    press: (keys) => withRows(living()?.press(keys, inputMs, reader, drawn === 'all') ?? ended()),
    resize: (size) => shells.resize(place, size),
    info: () => shells.info(place),
  }
}
