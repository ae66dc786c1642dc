import { describe, expect, it, vi } from 'vitest'
import { stringPlace } from '../support/cli.ts'
import { type LineClient, lineClient, type Message } from '../support/mcp-lines.ts'
import { recordedSteps, type Step } from '../support/mcp-recording.ts'
import { isSleeping, oddSeconds } from '../support/sleeping.ts'

const CLIENTS = ['claude-code', 'codex', 'opencode', 'gemini'] as const
const PATIENCE = { timeout: 20_000, interval: 30 }
const AT_ONCE = { timeout: 10_000, interval: 100 }

interface Result {
  readonly protocolVersion?: string
  readonly tools?: readonly { readonly name: string }[]
  readonly content?: readonly { readonly text: string }[]
  readonly isError?: boolean
}

/** Does what a client did; where that waited for an answer, so do we. */
async function replay(client: LineClient, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if ('sends' in step) client.send(step.sends as object)
    if ('awaits' in step) await vi.waitFor(() => expect(answer(client, step.awaits)).toBeDefined(), PATIENCE)
    if ('ended' in step) end(client, step.ended)
  }
}

function end({ child }: LineClient, how: string): void {
  if (how === 'end of input') child.stdin?.end()
  else child.kill(how as NodeJS.Signals)
}

function answer({ messages }: LineClient, id: number): Result | undefined {
  const found: Message | undefined = messages.find((message) => message.id === id && message.method === undefined)
  return found?.result as Result | undefined
}

/** The answers to calls of the tool, in the order of the calls. */
function toolAnswers(client: LineClient, steps: readonly Step[]): { text: string; isError: boolean }[] {
  const ids = steps.flatMap((step) => {
    const { id, method } = ('sends' in step ? step.sends : {}) as { id?: number; method?: string }
    return method === 'tools/call' && id !== undefined ? [id] : []
  })
  return ids.map((id) => {
    const { content = [], isError = false } = answer(client, id) ?? {}
    return { text: content[0]?.text ?? '', isError }
  })
}

/** Until the call is under way: what came before the client cancelled or ended it. */
function beforeTheEnd(steps: readonly Step[]): number {
  const isCall = (step: Step): boolean => 'sends' in step && (step.sends as { method?: string }).method === 'tools/call'
  return steps.findIndex(isCall) + 1
}

describe.each(CLIENTS)('what %s sends', (name) => {
  it('is answered: handshake, list and call', async () => {
    const client = lineClient(stringPlace())
    const steps = recordedSteps(name, 'call')
    await replay(client, steps)
    const [first] = steps
    const { params } = (first !== undefined && 'sends' in first ? first.sends : {}) as {
      params: { protocolVersion: string }
    }
    expect(answer(client, 0)?.protocolVersion).toBe(params.protocolVersion)
    expect(answer(client, 1)?.tools?.map((tool) => tool.name)).toEqual(['string'])
    expect(toolAnswers(client, steps)).toEqual([
      { text: expect.stringContaining('topic: called (tab)'), isError: false },
    ])
  })

  it('is answered with an error that is one', async () => {
    const client = lineClient(stringPlace())
    const steps = recordedSteps(name, 'error')
    await replay(client, steps)
    expect(toolAnswers(client, steps)).toEqual([
      { text: expect.stringContaining('ERROR(COMMAND_UNKNOWN)'), isError: true },
    ])
  })

  it('is answered for each of two calls to one topic', async () => {
    const client = lineClient(stringPlace())
    const steps = recordedSteps(name, 'two calls at once')
    await replay(client, steps)
    expect(toolAnswers(client, steps)).toEqual([
      { text: expect.stringContaining('first 41'), isError: false },
      { text: expect.stringContaining('second 42'), isError: false },
    ])
  })

  it('ends what a call started when it ends its server', async () => {
    await expectEnded(name, 'Ctrl-C', () => true)
  })
})

// Gemini CLI says nothing when a call is cancelled.
describe.each(['claude-code', 'codex', 'opencode'])('a cancel of %s', (name) => {
  it('ends what the call started', async () => {
    await expectEnded(name, 'cancel', (step) => !('ended' in step))
  })
})

/** Begins the call that was recorded, then does what the client did to be rid of it. */
async function expectEnded(name: string, check: string, isWanted: (step: Step) => boolean): Promise<void> {
  const place = stringPlace()
  const seconds = oddSeconds()
  const steps = recordedSteps(name, check, seconds).filter(isWanted)
  const client = lineClient(place)
  const start = beforeTheEnd(steps)
  await replay(client, steps.slice(0, start))
  await vi.waitFor(() => expect(isSleeping(seconds)).toBe(true), PATIENCE)
  await replay(client, steps.slice(start))
  try {
    await vi.waitFor(() => expect(isSleeping(seconds)).toBe(false), AT_ONCE)
  } finally {
    await place.string(['--daemon', 'stop'])
  }
}

describe('a cancel of calls that were answered long ago', () => {
  it('changes nothing: opencode sends one for each when it ends', async () => {
    const client = lineClient(stringPlace())
    const steps = recordedSteps('opencode', 'call').filter((step) => !('ended' in step))
    await replay(client, steps)
    const cancelled = steps.filter(
      (step) => 'sends' in step && (step.sends as { method?: string }).method === 'notifications/cancelled',
    )
    expect(cancelled).toHaveLength(1)
    const again = {
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params: { name: 'string', arguments: { cmd: '/info' } },
    }
    client.send(again)
    await vi.waitFor(() => expect(answer(client, 9)?.isError).toBe(false), PATIENCE)
  })
})
