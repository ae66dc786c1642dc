import type { TopicShell } from '../session/context.ts'
import type { BashShell } from '../shell/bash-shell.ts'
import type { ShellHost, ShellTopic } from '../shell/shell-host.ts'

/** What a topic may start; `limitMs` is the caller's own limit, where it has one. */
export function topicShell(
  shells: ShellHost,
  place: ShellTopic,
  start: () => string,
  shownBytes: number,
  limitMs = Number.POSITIVE_INFINITY,
): TopicShell {
  const execMs = Math.min(limitMs, shells.execMs)
  const living = (): BashShell | null => shells.shell(place)
  return {
    execMs,
    shownBytes,
    exec: (run) => shells.exec(place, { ...run, limitMs: execMs }),
    input: (text) => shells.input(place, start(), text),
    wait: async (waitMs) => (await living()?.wait(waitMs)) ?? null,
    interrupt: async () => (await living()?.interrupt()) ?? null,
    type: async (characters) => (await living()?.type(characters)) ?? null,
    info: () => shells.info(place),
  }
}
