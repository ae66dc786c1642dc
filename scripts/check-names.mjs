// Checks that a name which packages/stringd/src exports is declared in one file: it has one meaning.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** Names that may stand twice, and why. One that does not is a mistake too. */
const ALLOWED = new Map([
  ['Block', 'web/html has its own words'],
  ['append', 'web/html has its own words'],
  ['find', 'web/html has its own words'],
])

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

const isTwice = (name) => (places.get(name) ?? []).length > 1
const complaints = [
  ...[...places.keys()]
    .filter((name) => isTwice(name) && !ALLOWED.has(name))
    .map((name) => `${name} means more than one thing:\n  ${places.get(name).join('\n  ')}`),
  ...[...ALLOWED.keys()]
    .filter((name) => !isTwice(name))
    .map((name) => `scripts/check-names.mjs allows ${name} to stand twice, which it does not`),
]

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
