import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FleetView, NodeView, TurnView } from '@string-os/protocol'
import { expect } from 'vitest'
import { giveProfile } from '../../packages/stringd/test/support/turns.ts'
import { type Stringd, type StringdOptions, startStringd } from '../faults/support/stringd.ts'
import { call, type Reply } from './http.ts'
import { tempDir } from './temp.ts'

/** A daemon among those that share a database. */
export interface Node extends Stringd {
  readonly name: string
}

/** Starts a node; with the folder of one that has ended it is that one again. */
export async function startNode(
  name: string,
  store: string,
  { dir = tempDir(), env = {}, ...more }: StringdOptions = {},
): Promise<Node> {
  const stringd = await startStringd({ ...more, dir, env: { STRING_STORE: store, STRING_NODE: name, ...env } })
  return { ...stringd, name }
}

/** Registers an agent whose home is in the folder of the node. */
export async function addAgent({ port, dir }: Stringd, id: string, script: string, keys = ''): Promise<string> {
  const home = join(dir, id)
  mkdirSync(home, { recursive: true })
  giveProfile(home, script, keys)
  expect((await call(port, 'POST', '/agents', { body: { agent_id: id, home } })).status).toBe(200)
  return home
}

/** An agent without a program. */
export async function addPlainAgent({ port, dir }: Stringd, id: string): Promise<Reply> {
  const home = join(dir, id)
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'note.md'), '# Note\n')
  return call(port, 'POST', '/agents', { body: { agent_id: id, home } })
}

export async function nodesOf({ port }: Stringd): Promise<readonly NodeView[]> {
  return ((await call(port, 'GET', '/fleet')).json as FleetView).nodes
}

export async function stateOf(node: Stringd, name: string): Promise<string | undefined> {
  return (await nodesOf(node)).find((each) => each.name === name)?.state
}

export async function turnOf({ port }: Stringd, id: string): Promise<TurnView> {
  return (await call(port, 'GET', `/turns/${id}`)).json as TurnView
}
