import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')

/** All that String can say, with a dot where something is put in. */
const said = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /^\w+\/src\/.*\.ts$/.test(name))
  .map((name) => readFileSync(join(root, 'packages', name), 'utf8').replaceAll(/\$\{[^}]*\}/g, '…'))
  .join('\n')

/** What differs from one to the next, and is put into a text. */
const PUT_IN = /…|\bpid \d.*|\d+(?:\.\d+)*|[()]|^failed |^Forbidden: |^Webhook body|channels\.yaml|state\.db/

/** What a table of the page says that one sees: the parts of it that are the same for everybody. */
const seen = [...page.matchAll(/^\| (?!what you see|---)(.*?) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) =>
    text
      .split(PUT_IN)
      .map((part) => part.replace(/^[\s:;,]+|[\s:;,]+$/g, ''))
      .filter((part) => part.length >= 8 && !part.startsWith('string ')),
  ),
)

describe('docs/troubleshooting.md', () => {
  it('quotes what String really says', () => {
    expect(seen.length).toBeGreaterThan(30)
    expect(seen.filter((part) => !said.includes(part))).toEqual([])
  })

  it('says in every row of its tables why, and what to type', () => {
    const rows = [...page.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '))
    for (const row of rows) expect(row, row[0]).toHaveLength(3)
  })
})
