import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A tree of text files as a project has them: 400 folders, 4,000 files, about 25 MB. Every hundredth has a line of its own. */
export function makeTree(folder) {
  let index = 0
  for (let a = 0; a < 20; a += 1) {
    for (let b = 0; b < 20; b += 1) {
      const below = join(folder, `part-${a}`, `section-${b}`)
      mkdirSync(below, { recursive: true })
      for (let c = 0; c < 10; c += 1) {
        writeFileSync(join(below, `file-${c}.ts`), text(index))
        index += 1
      }
    }
  }
}

function text(index) {
  const lines = Array.from(
    { length: 20 + ((index * 37) % 180) },
    (_, line) => `const value${line} = compute(${index}, "some words that stand in line ${line}")`,
  )
  if (index % 100 === 0) lines.push(`// the needle of file ${index}`)
  return `${lines.join('\n')}\n`
}
