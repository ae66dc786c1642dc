import { existsSync, readFileSync } from 'node:fs'
import { CAP_NAMES, type Caps, isDeepYaml, isFields, LIMITS } from '@string-os/protocol'
import { parse } from 'yaml'
import type { Log } from '../log.ts'

/** `limits:` in the `config.yaml` of the data folder: what holds for agents whose profiles say nothing else. */
export function readDataCaps(path: string, log: Log): Caps {
  if (!existsSync(path)) return {}
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length > LIMITS.profileBytes || isDeepYaml(text)) throw new Error('it is too large')
    const value: unknown = parse(text)
    const limits = isFields(value) && isFields(value.limits) ? value.limits : {}
    const known = CAP_NAMES.flatMap((name) => {
      const number = limits[name]
      return typeof number === 'number' && number > 0 ? [[name, number] as const] : []
    })
    return Object.fromEntries(known)
  } catch (error) {
    log.error(`${path} cannot be read, so no limits of it hold`, { cause: String(error) })
    return {}
  }
}
