import { close } from './close.ts'
import type { Command } from './define.ts'
import { createHelp } from './help.ts'
import { info } from './info.ts'
import { ls } from './ls.ts'
import { open } from './open.ts'
import { topics } from './topics.ts'

/** Every slash command, in the order in which `/help` lists them. */
export const COMMANDS: readonly Command[] = [open, ls, info, topics, close, createHelp(() => COMMANDS)]
