import { act } from './act/act.ts'
import { install, uninstall } from './act/install.ts'
import { set } from './act/set.ts'
import { tool } from './act/tool.ts'
import { unset } from './act/unset.ts'
import type { Command } from './core/command.ts'
import { append } from './edit/append.ts'
import { edit } from './edit/edit.ts'
import { replace } from './edit/replace.ts'
import { undo } from './edit/undo.ts'
import { verify } from './edit/verify.ts'
import { write } from './edit/write.ts'
import { back } from './read/back.ts'
import { findText } from './read/find.ts'
import { createHelp } from './read/help.ts'
import { info } from './read/info.ts'
import { ls } from './read/ls.ts'
import { nav } from './read/nav.ts'
import { open } from './read/open.ts'
import { refresh } from './read/refresh.ts'
import { close } from './topic/close.ts'
import { ackEvents, clearEvents, events, readEvent, retryEvent, waitForEvent } from './topic/events.ts'
import { exec } from './topic/exec.ts'
import { topics } from './topic/topics.ts'

/** Every slash command, in the order in which `/help` lists them. */
export const COMMANDS: readonly Command[] = [
  open,
  back,
  refresh,
  nav,
  findText,
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
  retryEvent,
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
