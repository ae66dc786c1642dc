import {
  type ChanFlowItem,
  count,
  type Failure,
  fail,
  type IgnoredBlock,
  invalidTopic,
  notACommand,
  parseTopic,
  quoted,
  type Result,
  type Topic,
} from '@string-os/protocol'
import { queueFailure } from '../runtime/exec-call.ts'
import type { ChanFlowCall, ChanFlowParts } from './call.ts'
import type { Caller } from './caller.ts'
import type { Job } from './in-order.ts'

/** Whatever gets a reply. */
export type RepliedBlock = Exclude<ChanFlowItem, { readonly type: 'text' }> | IgnoredBlock
type ClosedBlock = Extract<ChanFlowItem, { readonly type: 'block' }>

/** What becomes of a block, and the topic under which that is answered. */
export interface BlockAnswer {
  readonly result: Result
  readonly topic: string | null
  readonly mode: 'edit' | null
}

/** How a block is run, and behind which others. */
export function jobOf(parts: ChanFlowParts, call: ChanFlowCall, block: RepliedBlock, caller: Caller): Job<BlockAnswer> {
  if (block.type === 'ignored') return refusal(ignored(block), 'main')
  if (block.type === 'unclosed') return refusal(unclosed(), block.topic)
  if (block.channel !== 'string') return messageJob(parts, call, block)
  const topic = parseTopic(block.topic)
  if (topic === null) return refusal(invalidTopic(block.topic ?? ''), block.topic)
  if (block.payload === '') return refusal(notACommand(), block.topic)
  return commandJob(parts, call, block, topic, caller)
}

function commandJob(
  { runtime }: ChanFlowParts,
  { agent, cwd, cancelOnLeave = false, answerBytes }: ChanFlowCall,
  { topic: written, payload }: ClosedBlock,
  topic: Topic,
  caller: Caller,
): Job<BlockAnswer> {
  // A command such as `/open app:x` runs in that topic: whatever is written for it afterwards waits for it too.
  const read = runtime.read(payload, topic)
  const keys = new Set([topic, read.topic].map(({ canonical }) => `string:${canonical}`))
  const run = async (): Promise<BlockAnswer> => {
    const watchCaller = caller.watch
    const room = answerBytes === undefined ? {} : { answerBytes }
    const outcome = await runtime.exec({
      agent,
      topic,
      command: payload,
      read,
      cwd,
      isCwdForAll: true,
      cancelOnLeave,
      watchCaller,
      ...room,
    })
    const place = outcome.topic.canonical === topic.canonical ? written : outcome.topic.written
    if (outcome.kind === 'done') return { result: outcome.result, topic: place, mode: outcome.mode }
    const result = outcome.kind === 'left' ? callerLeft() : queueFailure(agent.id, outcome)
    return { result, topic: place, mode: null }
  }
  return { keys: [...keys], run }
}

function messageJob({ deliver }: ChanFlowParts, call: ChanFlowCall, block: ClosedBlock): Job<BlockAnswer> {
  const { channel, topic, payload } = block
  if (payload.trim() === '')
    return refusal(fail('COMMAND_UNSUPPORTED', 'The message is empty', 'Write its text between the tags'), topic)
  const message = { agent: call.agent, channel, target: topic, text: payload, hops: call.hops ?? 0 }
  const run = async (): Promise<BlockAnswer> => ({ result: await deliver(message), topic, mode: null })
  return { keys: [`${channel}:${topic ?? ''}`], run }
}

function refusal(result: Result, topic: string | null): Job<BlockAnswer> {
  return { keys: [], run: async () => ({ result, topic, mode: null }) }
}

function unclosed(): Result {
  return fail(
    'BLOCK_UNCLOSED',
    'The block has no closing tag and was not run',
    'End it with its closing tag; in a tag that is part of its text, a backslash goes behind the <',
  )
}

/** Why something that looks like a block was not one. */
function ignored({ why, tag, count: amount }: IgnoredBlock): Result {
  if (why === 'malformed')
    return fail(
      'INVALID_TARGET',
      `Not a tag, so nothing was run: ${quoted(tag)}`,
      'A tag holds a channel and a topic, no blanks and nothing else: string:NAME, string:app:NAME, string:bash:NAME',
    )
  if (why === 'fenced')
    return fail(
      'BLOCK_IGNORED',
      `${count(amount, 'block')} behind a code fence that is not closed ${amount === 1 ? 'was' : 'were'} not run`,
      'Send it again outside of the fence, or close the fence before it',
    )
  return fail(
    'BLOCK_IGNORED',
    `The tag ${quoted(tag)} is written with another letter, so nothing was run`,
    'Write the opening and the closing tag with 𝒞, U+1D49E',
  )
}

export function callerLeft(): Failure {
  return fail('CANCELLED', 'The caller left before the block was run', 'Send the text again')
}
