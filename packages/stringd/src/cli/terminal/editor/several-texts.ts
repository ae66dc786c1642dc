import type { Unfinished } from './line-editor.ts'

/** The texts that lines are, each as long as it must be to be whole. */
export function severalTexts(lines: string, unfinished: (text: string) => Unfinished | null): readonly string[] {
  const texts: string[] = []
  for (const line of lines.split('\n')) {
    const last = texts.at(-1)
    if (last !== undefined && unfinished(last) !== null) texts[texts.length - 1] = `${last}\n${line}`
    else if (line.trim() !== '') texts.push(line.trimEnd())
  }
  return texts
}
