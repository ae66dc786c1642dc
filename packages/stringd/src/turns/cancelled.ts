import { AGENT_REMOVED } from '@string-os/protocol'

/** Who or what cancels a turn, in words for whoever asks why it has no answer. */
const SAID = {
  asked: 'by hand (string turn cancel, chat, the page or HTTP)',
  agent_stopped: 'its agent was stopped (string agent stop)',
  agent_removed: AGENT_REMOVED,
  newer_message: 'a newer message took its place (when_busy: interrupt)',
} as const

export type CancelReason = keyof typeof SAID

const CANCEL_REASONS = Object.keys(SAID) as readonly CancelReason[]

/** As opposed to what ends a turn that nobody has cancelled. */
export function isCancel(reason: string | null): reason is CancelReason {
  return CANCEL_REASONS.some((each) => each === reason)
}

/** As another node has stored it; an older one says only that it is wanted. */
export function storedReason(text: string | null): CancelReason {
  return CANCEL_REASONS.find((each) => each === text) ?? 'asked'
}

export function whileItRan(reason: CancelReason): string {
  return `The turn was cancelled: ${SAID[reason]}.`
}

export function beforeItBegan(reason: CancelReason): string {
  return `The turn was cancelled before it began: ${SAID[reason]}.`
}
