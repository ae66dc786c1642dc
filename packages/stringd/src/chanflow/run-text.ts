import {
  type ChanFlowBlockView,
  type ChanFlowItem,
  type ChanFlowReply,
  decodeChanFlow,
  type Failure,
  fail,
  LIMITS,
  withIgnored,
} from '@string-os/protocol'
import type { ChanFlowCall, ChanFlowParts } from './call.ts'
import { Caller } from './caller.ts'
import { runInOrder } from './in-order.ts'
import { encodeReply } from './reply.ts'
import { type BlockAnswer, callerLeft, jobOf, type RepliedBlock } from './run-block.ts'

export type RunText = (call: ChanFlowCall) => Promise<ChanFlowReply>

/** Runs the blocks of one text: those of one topic in order, topics side by side; the replies come as written. */
export function createRunText(parts: ChanFlowParts): RunText {
  return async (call) => {
    const items = decodeChanFlow(call.text)
    const blocks = withIgnored(items).filter((item) => item.type !== 'text')
    const answers = blocks.length > LIMITS.chanFlowBlocks ? tooMany(blocks) : await runBlocks(parts, call, blocks)
    return {
      text: answers.map(({ reply }) => reply).join('\n\n'),
      rest: items.map(outside).join(''),
      blocks: answers.map(({ view }) => view),
    }
  }

  /** A text that no person or model writes: nothing of it is run, and one reply says so. */
  function tooMany(blocks: readonly RepliedBlock[]): Answered[] {
    const [first] = blocks
    const limit = `The text has ${blocks.length} blocks and at most ${LIMITS.chanFlowBlocks} are run; none was`
    const result = fail('LIMIT_REACHED', limit, 'Send fewer blocks at a time')
    return first === undefined ? [] : [answered(first, { result, topic: tagOf(first).topic, mode: null }, parts.now())]
  }
}

interface Answered {
  readonly reply: string
  readonly view: ChanFlowBlockView
}

async function runBlocks(
  parts: ChanFlowParts,
  call: ChanFlowCall,
  blocks: readonly RepliedBlock[],
): Promise<Answered[]> {
  const caller = new Caller(call.watchCaller)
  let replyChars = 0
  const jobs = blocks.map((block) => {
    const { keys, run } = jobOf(parts, call, block, caller)
    const guarded = async (): Promise<Answered> => {
      const reason = whyNot(parts, call, caller, replyChars)
      const answer = reason === null ? await run() : { result: reason, topic: tagOf(block).topic, mode: null }
      const reply = answered(block, answer, parts.now())
      replyChars += reply.reply.length
      return reply
    }
    return { keys, run: guarded }
  })
  try {
    return await runInOrder(jobs, LIMITS.chanFlowAtOnce)
  } finally {
    caller.stopWatching()
  }
}

/** Why a block is not run, whatever is in it; null when it is. */
function whyNot(parts: ChanFlowParts, call: ChanFlowCall, caller: Caller, replyChars: number): Failure | null {
  if (caller.gone) return callerLeft()
  if (!parts.isRegistered(call.agent.id))
    return fail('CANCELLED', 'The agent was deleted before the block was run', 'string agent add ID registers one')
  if (replyChars <= LIMITS.chanFlowReplyChars) return null
  return fail('TOO_LARGE', 'The replies to this text are too large already; this block was not run', 'Send it alone')
}

function answered(block: RepliedBlock, answer: BlockAnswer, time: Date): Answered {
  const { channel, topic } = tagOf(block)
  const { ok, code } = answer.result
  return { reply: encodeReply(channel, answer, time), view: { channel, topic: topic ?? 'main', ok, code } }
}

/** What could not be read as a tag is answered in the topic that stands for none. */
function tagOf(block: RepliedBlock): { readonly channel: string; readonly topic: string | null } {
  return block.type === 'ignored' ? { channel: 'string', topic: 'main' } : block
}

/** What was written outside of blocks that were closed. */
function outside(item: ChanFlowItem): string {
  return item.type === 'block' ? '' : item.text
}
