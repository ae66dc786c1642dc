import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Fleet, type FleetParts } from './fleet.ts'

/** What of turns a node needs. */
export interface FleetTurns {
  readonly work: { readonly running: number; readonly waiting: number }
  readonly drain: (isDraining: boolean) => void
  readonly lookForAnyone: () => Promise<void>
}

export interface FleetSetup
  extends Pick<
    FleetParts,
    'store' | 'residence' | 'onAgent' | 'onSwept' | 'changed' | 'onCrowd' | 'onRefused' | 'log'
  > {
  readonly dataDir: string
  readonly node: { readonly id: string; readonly name: string; readonly version: string }
  readonly agents: () => number
  /** They are made later. */
  readonly turns: () => FleetTurns | undefined
}

/** This daemon among those that share its store. */
export function createFleet({ dataDir, node, agents, turns, ...parts }: FleetSetup): Fleet {
  const { residence, log } = parts
  const { dev, ino } = statSync(join(dataDir, 'id'))
  const warned = (error: unknown): void =>
    log.debug('Work for any node could not be looked for', { cause: String(error) })
  return new Fleet({
    ...parts,
    node: { ...node, place: `${hostname()}:${dataDir}:${dev}:${ino}` },
    counts: () => ({ agents: agents(), ...(turns()?.work ?? { running: 0, waiting: 0 }) }),
    onDrain: (isDraining) => turns()?.drain(isDraining),
    onBeat: () => {
      residence.adopt().catch(warned)
      turns()?.lookForAnyone().catch(warned)
    },
  })
}
