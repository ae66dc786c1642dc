import type { TopicShell } from '../command/core/context.ts'
import type { BashShell } from '../shell/bash-shell.ts'
import type { ShellHost, ShellTopic } from '../shell/shell-host.ts'

export interface TopicShellParts {
  readonly shells: ShellHost
  readonly place: ShellTopic
  /** Where commands run. */
  readonly start: () => string
  /** Of a command's output, what an answer has room for. */
  readonly shownBytes: number
  /** When the caller gives up, where that is known. */
  readonly deadline: number | undefined
  /** How long input is waited for, where that is less than usual. */
  readonly shellWaitMs: number | null
  readonly hasStyles: boolean
  readonly running: { readonly signal: AbortSignal }
}

/** What a topic may start. */
export function topicShell(parts: TopicShellParts): TopicShell {
  const { shells, place, start, shownBytes, deadline, shellWaitMs, hasStyles, running } = parts
  const patienceMs = deadline === undefined ? Number.POSITIVE_INFINITY : Math.max(1, deadline - performance.now())
  const inputMs = Math.min(patienceMs, shellWaitMs ?? Number.POSITIVE_INFINITY)
  const execMs = Math.min(patienceMs, shells.execMs)
  const living = (): BashShell | null => shells.shell(place)
  return {
    execMs,
    shownBytes,
    hasStyles,
    exec: (run) => shells.exec(place, { ...run, limitMs: execMs }),
    input: (text) => shells.input(place, { cwd: start(), text, waitMs: inputMs, signal: running.signal }),
    wait: async (waitMs) => (await living()?.wait(Math.min(waitMs, inputMs), running.signal)) ?? null,
    interrupt: async () => (await living()?.interrupt()) ?? null,
    type: async (characters) => (await living()?.type(characters, inputMs)) ?? null,
    press: async (keys) => (await living()?.press(keys, inputMs)) ?? null,
    resize: (size) => shells.resize(place, size),
    info: () => shells.info(place),
  }
}
