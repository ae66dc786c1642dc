import type { ApprovalAnswer } from '@string-os/protocol'
import { useApp } from '../app.ts'
import { approvals } from '../data/calls.ts'

const DONE: Readonly<Record<ApprovalAnswer, string>> = { allow: 'Allowed', deny: 'Denied' }

/** Answers an approval; somebody else may have been first, and then that is said. */
export function useAnswer(): (id: string, given: ApprovalAnswer, note: string) => Promise<void> {
  const { notices } = useApp()
  return async (id, given, note) => {
    const answer = await approvals.answer(id, given, note)
    if (!answer.ok || answer.value.isFirst) notices.tell(answer, DONE[given])
    else notices.show({ kind: 'failed', text: answer.value.message ?? 'Somebody else was first' })
  }
}
