import { act } from './act.ts'
import { append } from './append.ts'
import { back } from './back.ts'
import { close } from './close.ts'
import type { Command } from './define.ts'
import { edit } from './edit.ts'
import { ackEvents, clearEvents, events, readEvent, waitForEvent } from './events.ts'
import { exec } from './exec.ts'
import { createHelp } from './help.ts'
import { info } from './info.ts'
import { install, uninstall } from './install.ts'
import { ls } from './ls.ts'
import { nav } from './nav.ts'
import { open } from './open.ts'
import { refresh } from './refresh.ts'
import { replace } from './replace.ts'
import { set } from './set.ts'
import { tool } from './tool.ts'
import { topics } from './topics.ts'
import { undo } from './undo.ts'
import { unset } from './unset.ts'
import { verify } from './verify.ts'
import { write } from './write.ts'

/** Every slash command, in the order in which `/help` lists them. */
export const COMMANDS: readonly Command[] = [
  open,
  back,
  refresh,
  nav,
  edit,
  write,
  append,
  replace,
  undo,
  verify,
  act,
  exec,
  set,
  unset,
  events,
  readEvent,
  ackEvents,
  waitForEvent,
  clearEvents,
  tool,
  install,
  uninstall,
  ls,
  info,
  topics,
  close,
  createHelp(() => COMMANDS),
]
