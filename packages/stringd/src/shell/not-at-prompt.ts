import { type Failure, fail, quoted } from '@string-os/protocol'

/** Why a command that shall be no input for another was not typed. */
export function notAtPrompt(command: string, topic: string): Failure {
  return fail(
    'BUSY',
    `${topic} runs ${quoted(command, SHOWN_CHARS)}, and this is no input for it: nothing was typed`,
    'Use a topic bash:NAME of its own for what runs beside it',
    `//wait waits for its end, //interrupt or: string stop ${topic} ends it`,
  )
}

/** How much of a command a refusal repeats. */
const SHOWN_CHARS = 60
