import { expect } from 'vitest'
import type { Ran } from '../../support/cli.ts'
import { call } from '../../support/http.ts'
import { isSleeping, oddSeconds } from '../../support/sleeping.ts'
import { beginCall } from './cancel.ts'
import type { ModelReply, ModelRequest, ToolArguments } from './model/dialect.ts'
import type { Script } from './model/server.ts'
import type { World } from './world.ts'

export interface Check {
  readonly name: string
  /** What holds when it passes, as a sentence of a test. */
  readonly title: string
  /** Whether what passes on the wire is worth keeping. */
  readonly isRecorded?: true
  readonly run: (world: World) => Promise<void>
}

const PATIENCE = { timeout: 60_000, interval: 100 }
/** What has to happen at once may take a moment on a machine under load. */
const AT_ONCE = { timeout: 15_000, interval: 100 }

/** What is tried with every client. */
export const CHECKS: readonly Check[] = [
  { isRecorded: true, name: 'list', title: 'shows the tool to its model', run: list },
  { isRecorded: true, name: 'call', title: 'calls it, and the answer reaches the model', run: callOnce },
  {
    isRecorded: true,
    name: 'two calls at once',
    title: 'gets an answer to each of two calls to one topic',
    run: callTwice,
  },
  { isRecorded: true, name: 'error', title: 'hands an error on to the model', run: callWrongly },
  { isRecorded: true, name: 'cancel', title: 'ends what a cancelled call started', run: cancelled },
  { isRecorded: true, name: 'Ctrl-C', title: 'ends what a call started when it is ended itself', run: ended },
  { name: 'event', title: 'lets its model know that an event waits', run: eventSeen },
  { name: 'bridge turn', title: 'answers through the bridge, from the example profile', run: bridgeTurn },
  { name: 'second turn', title: 'goes on with the session in the next turn', run: secondTurn },
  { name: 'wrong key', title: 'says in time that its key was refused', run: wrongKey },
  { name: 'trouble', title: 'says that it tries again while its model fails', run: trouble },
  { name: 'another folder', title: 'takes a turn in another folder than the one before', run: anotherFolder },
]

async function list({ model, turn }: World): Promise<void> {
  model.play(() => text('done'))
  await turn('do it')
  const [request] = model.requests()
  expect(request?.tools.map(({ schema }) => schema)).toContainEqual(
    expect.objectContaining({
      properties: expect.objectContaining({ cmd: expect.anything(), topic: expect.anything() }),
    }),
  )
}

async function callOnce(world: World): Promise<void> {
  const [answer = ''] = await results(world, [{ topic: 'called', cmd: '/info' }])
  expect(answer).toContain('topic: called (tab)')
  expect(answer).toContain(`cwd: ${world.project}`)
}

async function callTwice(world: World): Promise<void> {
  const slow = { topic: 'bash:two', cmd: 'sleep 1; echo "first $((40 + 1))"' }
  const answers = await results(world, [slow, { topic: 'bash:two', cmd: 'echo "second $((40 + 2))"' }])
  expect(answers.join('\n')).toMatch(/first 41[\s\S]*second 42/)
}

async function callWrongly(world: World): Promise<void> {
  const [answer = ''] = await results(world, [{ topic: 'wrong', cmd: '/nope' }])
  expect(answer).toContain('ERROR(COMMAND_UNKNOWN): Unknown command: /nope')
}

async function cancelled(world: World): Promise<void> {
  const seconds = sleepInTopic(world, 'bash:cancel')
  const running = await beginCall(world)
  try {
    await expect.poll(() => isSleeping(seconds), PATIENCE).toBe(true)
    running.cancel()
    await expect.poll(() => isSleeping(seconds), AT_ONCE).toBe(false)
  } finally {
    await running.end()
    await world.string(['bash:cancel', '//interrupt'])
  }
}

async function ended(world: World): Promise<void> {
  const seconds = sleepInTopic(world, 'bash:ended')
  const client = world.startClient(world.client.args('do it'))
  client.stdin.end()
  try {
    await expect.poll(() => isSleeping(seconds), PATIENCE).toBe(true)
    client.signal('SIGINT')
    await client.ended
    await expect.poll(() => isSleeping(seconds), AT_ONCE).toBe(false)
  } finally {
    client.signal('SIGKILL')
    await world.string(['bash:ended', '//interrupt'])
  }
}

async function eventSeen(world: World): Promise<void> {
  const { stdout } = await world.string(['webhook', 'show', '--plain'])
  const [, port, path = ''] = /http:\/\/127\.0\.0\.1:(\d+)(\/webhook\/\S+)/.exec(stdout) ?? []
  await call(Number(port), 'POST', path, { body: 'the build is red', headers: { 'Content-Type': 'text/plain' } })
  const [answer = ''] = await results(world, [{ topic: 'after-event', cmd: '/info' }])
  expect(answer).toContain('/events')
}

async function bridgeTurn(world: World): Promise<void> {
  world.model.play(script([{ topic: 'bridged', cmd: '/info' }]))
  expect(shown(await world.bridge('good morning', 'talk'))).toMatch(/^exit 0\n[\s\S]*done/)
  const said = world.model.requests().flatMap((request) => request.said)
  expect(said.join('\n')).toContain('good morning')
  expect(lastResults(world, 1).join('\n')).toContain('topic: bridged (tab)')
}

async function secondTurn(world: World): Promise<void> {
  world.model.play(() => text('hello'))
  await world.bridge('my name is Ada', 'second')
  world.model.play(() => text('you said it'))
  expect(shown(await world.bridge('what is my name?', 'second'))).toMatch(/^exit 0\n[\s\S]*you said it/)
  const said = world.model.requests()[0]?.said ?? []
  expect(said.join('\n')).toMatch(/my name is Ada[\s\S]*what is my name\?/)
}

async function wrongKey(world: World): Promise<void> {
  const refused: ModelReply = { kind: 'refusal', status: 401 }
  world.model.play(() => refused, refused)
  expect(shown(await world.bridge('good morning', 'refused'))).toMatch(
    /^exit [1-9]\d*\n[\s\S]*error: .*(?:401|key|auth)/i,
  )
}

async function trouble(world: World): Promise<void> {
  const failing: ModelReply = { kind: 'refusal', status: 500 }
  world.model.play(() => failing, failing)
  const turn = world.startBridge('good morning', 'trouble')
  turn.stdin.end()
  try {
    await expect.poll(() => turn.printed(), PATIENCE).toMatch(/^\(.+\)$/m)
  } finally {
    turn.signal('SIGINT')
    await turn.ended
  }
}

async function anotherFolder(world: World): Promise<void> {
  world.model.play(() => text('here'))
  expect(shown(await world.bridge('where are you?', 'folders'))).toMatch(/^exit 0\n[\s\S]*here/)
  // A configuration of the first folder does not hold there: its model may not be shown the tool.
  world.model.play(() => text('there'), text('there'))
  expect(shown(await world.bridge('and now?', 'folders', world.elsewhere))).toMatch(/^exit 0\n[\s\S]*there/)
}

function shown({ status, stdout, stderr }: Ran): string {
  return `exit ${status}\n${stdout}${stderr}`
}

function text(words: string): ModelReply {
  return { kind: 'text', text: words }
}

/** The calls first, and a last word when they were answered. */
function script(calls: readonly ToolArguments[]): Script {
  let hasCalled = false
  return () => {
    if (hasCalled) return text('done')
    hasCalled = true
    return { kind: 'calls', calls }
  }
}

/** What the model was answered to its calls. */
async function results(world: World, calls: readonly ToolArguments[]): Promise<readonly string[]> {
  world.model.play(script(calls))
  await world.turn('do it')
  return lastResults(world, calls.length)
}

function lastResults({ model }: World, count: number): readonly string[] {
  const last: ModelRequest | undefined = model.requests().at(-1)
  return (last?.results ?? []).slice(-count)
}

/** The next turn starts a process that is like no other; answers by what it is known. */
function sleepInTopic({ model }: World, topic: string): string {
  const seconds = oddSeconds()
  model.play(script([{ topic, cmd: `sleep ${seconds}` }]))
  return seconds
}
