import { type Language, renderConfig } from './render.ts'
import { lineEnd, type PlacedEntry, type Spliced } from './splice.ts'
import { spliceJson } from './splice-json.ts'
import { spliceToml } from './splice-toml.ts'
import { spliceYaml } from './splice-yaml.ts'

const SPLICE = { json: spliceJson, toml: spliceToml, yaml: spliceYaml } as const

/** A file with the entry in it. One that is missing or empty will hold nothing else. */
export function putEntry(language: Language, text: string | null, placed: PlacedEntry): Spliced {
  const isWhole = text === null || text.replace(/^\ufeff/, '').trim() === '' || placed.at.length === 0
  if (!isWhole) return SPLICE[language](text, placed)
  const alone = `${renderConfig(language, placed.at, placed.entry)}\n`
  return { ok: true, text: alone.replaceAll('\n', lineEnd(text ?? '')) }
}
