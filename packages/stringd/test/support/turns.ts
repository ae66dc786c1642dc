import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { SseParser, type TurnEvent, type TurnResultView, type TurnSummary, type TurnView } from '@string-os/protocol'
import { expect } from 'vitest'
import { call, type Reply } from '../../../../test/support/http.ts'
import { keyHeader } from '../../../../test/support/keys.ts'

/** What somebody who asked has heard so far. */
export interface Heard {
  readonly events: TurnEvent[]
  /** Of the turn, as soon as it is told. */
  readonly turnId: Promise<string>
  /** Resolves when the stream is over, whoever ended it. */
  readonly ended: Promise<void>
  /** Whether `done` came. */
  readonly isDone: () => boolean
  readonly leave: () => void
}

/** Writes the profile of a home, and a little agent in bash beside it. */
export function giveProfile(home: string, script: string, keys = ''): string {
  const folder = join(home, '.string')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'agent.sh'), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
  return giveCommand(home, './agent.sh', keys)
}

/** A profile for a program that is there already. */
export function giveCommand(home: string, command: string, keys = ''): string {
  const folder = join(home, '.string')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'profile.yaml')
  writeFileSync(path, `command: ${command}\nkill_grace_secs: 0.3\n${keys}`)
  return path
}

/** Follows a stream of a turn while it comes. */
export function listen(port: number, method: string, path: string, body?: object): Heard {
  const events: TurnEvent[] = []
  let isDone = false
  let known: (id: string) => void = () => undefined
  let unknown: (error: Error) => void = () => undefined
  const turnId = new Promise<string>((resolve, reject) => {
    known = resolve
    unknown = reject
  })
  turnId.catch(() => undefined)
  const headers = { ...keyHeader(port), 'Content-Type': 'application/json' }
  const outgoing = request({ host: '127.0.0.1', port, method, path, agent: false, headers })
  const ended = new Promise<void>((resolve) => {
    outgoing.on('error', (error) => {
      unknown(error)
      resolve()
    })
    outgoing.on('response', (response) => {
      if (response.statusCode !== 200) unknown(new Error(`HTTP ${response.statusCode}`))
      const parser = new SseParser()
      response.setEncoding('utf8').on('data', (chunk: string) => {
        for (const { event, data } of parser.push(chunk)) {
          if (event === 'done') isDone = true
          else events.push({ type: event, ...(JSON.parse(data) as object) } as TurnEvent)
          const [first] = events
          if (first?.type === 'queued' || first?.type === 'start') known(first.turn_id)
        }
      })
      response.on('close', () => {
        unknown(new Error('The stream ended'))
        resolve()
      })
    })
  })
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  return { events, turnId, ended, isDone: () => isDone, leave: () => void outgoing.destroy() }
}

export function beginTurn(port: number, body: object, agent = 'default'): Heard {
  return listen(port, 'POST', `/agents/${agent}/turns`, body)
}

/** Asks and waits for the end of the stream, which must be a whole one. */
export async function askTurn(port: number, body: object, agent = 'default'): Promise<Answered> {
  const heard = beginTurn(port, body, agent)
  await heard.ended
  return answered(heard)
}

export interface Answered {
  readonly turnId: string
  readonly events: readonly TurnEvent[]
  readonly result: TurnResultView
  readonly text: string
  readonly steps: readonly (TurnEvent & { type: 'step' })[]
}

export async function answered(heard: Heard): Promise<Answered> {
  const { events } = heard
  const last = events.at(-1)
  if (last?.type !== 'result' || !heard.isDone()) throw new Error(`No whole stream: ${JSON.stringify(events)}`)
  const { type: _, ...result } = last
  return { turnId: await heard.turnId, events, result, text: textOf(events), steps: stepsOf(events) }
}

export function textOf(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.type === 'partial' ? event.text : '')).join('')
}

function stepsOf(events: readonly TurnEvent[]): (TurnEvent & { type: 'step' })[] {
  return events.filter((event) => event.type === 'step')
}

/** A request whose answer is no stream. */
export function refusedTurn(port: number, body: object, agent = 'default'): Promise<Reply> {
  return call(port, 'POST', `/agents/${agent}/turns`, { body })
}

export async function turnOf(port: number, id: string): Promise<TurnView> {
  const { status, json, text } = await call(port, 'GET', `/turns/${id}`)
  if (status !== 200) throw new Error(`HTTP ${status}: ${text}`)
  return json as TurnView
}

/** Newest first. */
export async function turnsOf(port: number, query = '', agent = 'default'): Promise<readonly TurnSummary[]> {
  const { json } = await call(port, 'GET', `/agents/${agent}/turns${query}`)
  return (json as { turns: TurnSummary[] }).turns
}

export async function cancelTurn(port: number, id: string): Promise<TurnView> {
  const { status, json, text } = await call(port, 'DELETE', `/turns/${id}`)
  if (status !== 200) throw new Error(`HTTP ${status}: ${text}`)
  return json as TurnView
}

export async function webhookOf(port: number, agent = 'default'): Promise<string> {
  const { json } = await call(port, 'GET', `/agents/${agent}/webhook`)
  return new URL((json as { webhook_url: string }).webhook_url).pathname
}

/** Its id, once it is on the disk. */
export async function postEvent(port: number, text: string, agent = 'default'): Promise<string> {
  const { status, json } = await call(port, 'POST', await webhookOf(port, agent), { body: text })
  expect(status).toBe(202)
  return (json as { event_id: string }).event_id
}

/** Waits until a turn is what is wanted. */
export async function untilState(port: number, id: string, state: TurnView['state']): Promise<TurnView> {
  await expect.poll(async () => (await turnOf(port, id)).state).toBe(state)
  return turnOf(port, id)
}
