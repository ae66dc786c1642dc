import { isDumbTerminal } from '../../config.ts'

/** Somebody sits in front of it. */
function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

/** Whether a prompt can be shown to whoever sits here. */
export function hasPromptPlace(): boolean {
  return isTerminal() && !isDumbTerminal()
}

/** Why somebody at a terminal gets no prompt; null where there is one, or nobody. */
export function whyNoPrompt(): string | null {
  return isTerminal() && isDumbTerminal()
    ? 'no prompt, because TERM=dumb says that this terminal cannot move its cursor'
    : null
}
