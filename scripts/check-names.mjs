// Checks that a name which packages/stringd/src exports is declared in one file: it has one meaning.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const DECLARATION =
  /^export (?:declare |abstract |async )*(?:function\*?|class|interface|type|const|let|enum) ([A-Za-z_$][\w$]*)/gm

const folder = 'packages/stringd/src'
const sources = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'))
const places = new Map()
for (const source of sources) {
  const path = join(folder, source)
  const text = readFileSync(path, 'utf8')
  for (const [name, place] of declarations(path, text)) places.set(name, [...(places.get(name) ?? []), place])
}

const complaints = [...places]
  .filter(([, found]) => found.length > 1)
  .map(([name, found]) => `${name} means more than one thing:\n  ${found.join('\n  ')}`)

for (const complaint of complaints) console.error(complaint)
console.log(`${places.size} names in ${sources.length} sources, ${complaints.length} complaints`)
if (complaints.length > 0 || places.size === 0) process.exitCode = 1

/** Each name once per file: an overload, or a type and a value that belong together, is one meaning. */
function declarations(path, text) {
  const found = new Map()
  for (const match of text.matchAll(DECLARATION)) {
    const line = text.slice(0, match.index).split('\n').length
    if (!found.has(match[1])) found.set(match[1], `${path}:${line}`)
  }
  return found
}
