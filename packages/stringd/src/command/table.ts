import { back } from './back.ts'
import { close } from './close.ts'
import type { Command } from './define.ts'
import { createHelp } from './help.ts'
import { info } from './info.ts'
import { ls } from './ls.ts'
import { nav } from './nav.ts'
import { open } from './open.ts'
import { refresh } from './refresh.ts'
import { topics } from './topics.ts'

/** Every slash command, in the order in which `/help` lists them. */
export const COMMANDS: readonly Command[] = [
  open,
  back,
  refresh,
  nav,
  ls,
  info,
  topics,
  close,
  createHelp(() => COMMANDS),
]
