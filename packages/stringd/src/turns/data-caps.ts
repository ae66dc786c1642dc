import { existsSync, readFileSync } from 'node:fs'
import { CAP_NAMES, type Caps, isDeepYaml, isFields, LIMITS, nearest, quoted, yamlReason } from '@string-os/protocol'
import { parseDocument } from 'yaml'
import type { Log } from '../log.ts'

/** What the file says, and what of it cannot be meant so. */
export interface DataCaps {
  readonly caps: Caps
  readonly problems: readonly string[]
}

const KEYS = ['limits']

/** `limits:` in the `config.yaml` of the data folder: what holds for agents whose profiles say nothing else. */
export function dataCapsReader(path: string, log: Log): () => Caps {
  let told = ''
  return () => {
    const { caps, problems } = lookAtDataCaps(path)
    const reason = problems.join('; ')
    // It is read for every turn, and told once.
    if (reason !== told && reason !== '') log.error('Limits of config.yaml do not hold', { path, reason })
    told = reason
    return caps
  }
}

export function lookAtDataCaps(path: string): DataCaps {
  if (!existsSync(path)) return { caps: {}, problems: [] }
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length > LIMITS.profileBytes || isDeepYaml(text)) return none('it is too large')
    const document = parseDocument(text, { logLevel: 'error', prettyErrors: false })
    const [error] = document.errors
    if (error !== undefined)
      return none(yamlReason(text, { code: error.code, message: error.message, at: error.pos[0] }))
    return dataCapsIn(document.toJS({ maxAliasCount: LIMITS.yamlAliases }))
  } catch (error) {
    return none(error instanceof Error ? error.message : String(error))
  }
}

function dataCapsIn(value: unknown): DataCaps {
  if (value === null) return { caps: {}, problems: [] }
  if (!isFields(value)) return none('it must be a map: write `limits:` and lines of `turns_per_hour: 20` below it')
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key))
  const { limits = {} } = value
  if (!isFields(limits)) return none('`limits` must be a map: write lines of `turns_per_hour: 20` below it')
  const caps: [string, number][] = []
  const wrong: string[] = []
  for (const [name, number] of Object.entries(limits)) {
    if (!CAP_NAMES.some((cap) => cap === name))
      wrong.push(`there is no limit ${quoted(name, 40)}${meant(name, CAP_NAMES)}`)
    else if (typeof number === 'number' && number > 0) caps.push([name, number])
    else wrong.push(`\`${name}\` must be a number above 0, not ${quoted(String(number), 40)}`)
  }
  const others = unknown.map((key) => `there is no key ${quoted(key, 40)}${meant(key, KEYS)}`)
  return { caps: Object.fromEntries(caps), problems: [...others, ...wrong] }
}

function meant(name: string, names: readonly string[]): string {
  const close = nearest(name, names)
  return close === null ? `: write ${names.join(', ')}` : `: did you mean ${close}?`
}

function none(problem: string): DataCaps {
  return { caps: {}, problems: [problem] }
}
