// Checks the imports of packages/*/src against the tables of .dependency-cruiser.cjs.
// A cruise that overlooks a source, or an import written in one, fails too: otherwise it would pass without looking.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import swc from '@swc/core'
import { cruise } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

// The cruise has every source read as TypeScript without elements, which those of the page have.
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync.call(swc, file, { ...options, tsx: file.endsWith('.tsx') })

const folders = readdirSync('packages')
  .map((name) => join('packages', name, 'src'))
  .filter((folder) => existsSync(folder))
const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
)

const { output } = await cruise(folders, await extractOptions('./.dependency-cruiser.cjs'))
const { violations, ruleSetUsed } = output.summary
const comments = new Map(ruleSetUsed.forbidden.map((rule) => [rule.name, rule.comment]))
const bare = (name) => name.replace(/^node:/, '')
const seen = new Map(output.modules.map((each) => [each.source, each.dependencies.map((to) => bare(to.module))]))
const cruised = sources.filter((source) => seen.has(source))

const complaints = [
  ...violations.map(({ rule, from, to, cycle }) => {
    const target = cycle ? cycle.map((step) => step.name).join(' -> ') : to
    return `${from} -> ${target}\n  ${rule.name}: ${comments.get(rule.name)}`
  }),
  ...sources.filter((source) => !seen.has(source)).map((source) => `${source}\n  not cruised`),
  ...cruised.flatMap((source) =>
    writtenImports(source)
      .filter((name) => !seen.get(source).includes(name))
      .map((name) => `${source} -> ${name}\n  import overlooked by the cruise`),
  ),
]

for (const complaint of complaints) console.error(complaint)
console.log(`${cruised.length} modules cruised, ${sources.length} sources, ${violations.length} violations`)
if (complaints.length > 0 || sources.length === 0) process.exitCode = 1

function writtenImports(source) {
  const statement = /^(?:import|export)\b[^'"`;=()]*\bfrom ['"]([^'"]+)['"]/gm
  return Array.from(readFileSync(source, 'utf8').matchAll(statement), (match) => bare(match[1]))
}
