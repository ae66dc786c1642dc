import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** Text in, what the reader sees out: the part of `/open` that depends on the document alone. */
export async function loadRender() {
  const dir = mkdtempSync(join(root, 'node_modules/.cache-bench-'))
  const outfile = join(dir, 'document.cjs')
  const contents = `
    export { createDocumentParser } from './packages/stringd/src/document/parse/parse.ts'
    export { indexPage } from './packages/stringd/src/document/page.ts'
    export { renderPage } from './packages/stringd/src/document/render.ts'`
  try {
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      outfile,
      format: 'cjs',
      platform: 'node',
      conditions: ['source'],
    })
    const { createDocumentParser, indexPage, renderPage } = createRequire(import.meta.url)(outfile)
    const parse = createDocumentParser()
    return (text) => {
      const page = { document: parse(text), base: null, includes: new Map() }
      return renderPage(page, indexPage(page))
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** A document as people write them: front matter, headings, blocks, lists, code, tables and links. */
export function sampleDocument(bytes) {
  const section = (index) => `## Section ${index}

<!-- #part-${index} -->
Some words about a thing, with a [link](https://example.com/${index}), a [@s${index} shortcut](./page-${index}.md) and \`code\`.
More words follow here, as they do in most documents, and *some of them* are **emphasised**.
<!-- /part-${index} -->

- one item
- another, with a [second link](https://example.com/other/${index})
  - and one below it

| name | value |
|---|---|
| a | [cell](https://example.com/cell/${index}) |

\`\`\`js
const x = [link](https://example.com)
\`\`\`

`
  let text = '---\ntitle: A sample\n---\n\n# Sample\n\n'
  for (let index = 0; text.length < bytes; index += 1) text += section(index)
  return text
}

export function milliseconds(render, text) {
  const started = performance.now()
  render(text)
  return performance.now() - started
}
