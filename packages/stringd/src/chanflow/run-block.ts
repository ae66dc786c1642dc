import {
  type ChanFlowItem,
  type Failure,
  fail,
  invalidTopic,
  parseTopic,
  type Result,
  type Topic,
} from '@string-os/protocol'
import { queueFailure } from '../runtime/exec-call.ts'
import type { ChanFlowCall, ChanFlowParts } from './call.ts'
import type { Caller } from './caller.ts'
import type { Job } from './in-order.ts'

export type Block = Exclude<ChanFlowItem, { readonly type: 'text' }>
type ClosedBlock = Extract<ChanFlowItem, { readonly type: 'block' }>

/** What becomes of a block, and the topic under which that is answered. */
export interface Answer {
  readonly result: Result
  readonly topic: string | null
  readonly mode: 'edit' | null
}

/** How a block is run, and behind which others. */
export function jobOf(parts: ChanFlowParts, call: ChanFlowCall, block: Block, caller: Caller): Job<Answer> {
  if (block.type === 'unclosed') return refusal(block, unclosed())
  if (block.channel !== 'string') return messageJob(parts, call, block)
  const topic = parseTopic(block.topic)
  if (topic === null) return refusal(block, invalidTopic(block.topic ?? ''))
  if (block.payload === '') return refusal(block, emptyBlock())
  return commandJob(parts, call, block, topic, caller)
}

function commandJob(
  { runtime }: ChanFlowParts,
  { agent, cwd, cancelOnLeave = false }: ChanFlowCall,
  { topic: written, payload }: ClosedBlock,
  topic: Topic,
  caller: Caller,
): Job<Answer> {
  // A command such as `/open app:x` runs in that topic: whatever is written for it afterwards waits for it too.
  const keys = new Set([topic, runtime.topicOf(payload, topic)].map(({ canonical }) => `string:${canonical}`))
  const run = async (): Promise<Answer> => {
    const watchCaller = caller.watch
    const outcome = await runtime.exec({ agent, topic, command: payload, cwd, cancelOnLeave, watchCaller })
    const place = outcome.topic.canonical === topic.canonical ? written : outcome.topic.written
    if (outcome.kind === 'done') return { result: outcome.result, topic: place, mode: outcome.mode }
    const result = outcome.kind === 'left' ? callerLeft() : queueFailure(agent.id, outcome.kind, outcome.topic)
    return { result, topic: place, mode: null }
  }
  return { keys: [...keys], run }
}

function messageJob({ deliver }: ChanFlowParts, call: ChanFlowCall, block: ClosedBlock): Job<Answer> {
  const { channel, topic, payload } = block
  if (payload.trim() === '') return refusal(block, fail('COMMAND_UNSUPPORTED', 'The message is empty'))
  const message = { agent: call.agent, channel, target: topic, text: payload, hops: call.hops ?? 0 }
  const run = async (): Promise<Answer> => ({ result: await deliver(message), topic, mode: null })
  return { keys: [`${channel}:${topic ?? ''}`], run }
}

function refusal({ topic }: Block, result: Result): Job<Answer> {
  return { keys: [], run: async () => ({ result, topic, mode: null }) }
}

function unclosed(): Result {
  return fail(
    'BLOCK_UNCLOSED',
    'The block has no closing tag and was not run',
    'End it with its closing tag; in a tag that is part of its text, a backslash goes behind the <',
  )
}

function emptyBlock(): Result {
  return fail('COMMAND_UNSUPPORTED', 'Commands must start with /. Use /help for details.')
}

export function callerLeft(): Failure {
  return fail('CANCELLED', 'The caller left before the block was run')
}
