import type { Pagers } from '@string-os/protocol'
import type { TopicShell } from '../command/core/context.ts'
import type { BashShell } from '../shell/bash-shell.ts'
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
  readonly hasStyles: boolean
  /** Those of whoever types, where that is a person. */
  readonly pagers: Pagers | null
  readonly running: Stoppable & { readonly signal: AbortSignal }
}

/** What a topic may start. */
export function topicShell(parts: TopicShellParts): TopicShell {
  const { shells, place, start, shownBytes, deadline, shellWaitMs, shellSeen: seen, hasStyles, pagers, running } = parts
  const patienceMs = deadline === undefined ? Number.POSITIVE_INFINITY : Math.max(1, deadline - performance.now())
  const inputMs = Math.min(patienceMs, shellWaitMs ?? Number.POSITIVE_INFINITY)
  const execMs = Math.min(patienceMs, shells.execMs)
  const reader = seen === null ? null : { seen, bytes: shownBytes }
  const living = (): BashShell | null => shells.shell(place)
  return {
    execMs,
    shownBytes,
    isPlaceTold: seen !== null,
    hasStyles,
    exec: (run) => shells.exec(place, { ...run, limitMs: execMs }),
    input: (text) => shells.input(place, { start, text, waitMs: inputMs, reader, pagers, caller: running }),
    wait: async (waitMs) => (await living()?.wait(Math.min(waitMs, inputMs), reader, running.signal)) ?? null,
    interrupt: async () => (await living()?.interrupt(reader)) ?? null,
    type: async (characters) => (await living()?.type(characters, inputMs, reader)) ?? null,
    press: async (keys) => (await living()?.press(keys, inputMs, reader)) ?? null,
    resize: (size) => shells.resize(place, size),
    info: () => shells.info(place),
  }
}
