import { forEachChild, type SyntaxNode } from 'unbash'
import { parseScript } from './parse.ts'
import { isBuiltin } from './rules/builtins.ts'

/** A file beside the script that it starts. */
export interface StartedFile {
  readonly path: string
  /** By its own first line, so that it must be executable; else an interpreter reads it. */
  readonly isProgram: boolean
}

const READS_A_FILE = /^(?:sh|bash|dash|python[\d.]*|node|perl|ruby|php)$/
/** A relative path without anything that is only known when it runs. */
const BESIDE = /^(?:\.\/)?[\w.-]+(?:\/[\w.-]+)*$/

/** Files that a script starts by a relative path; none where it goes to another folder first. */
export function startedFiles(script: string): StartedFile[] {
  const parsed = parseScript(script)
  if (!parsed.ok) return []
  const found: StartedFile[] = []
  const left = visit(parsed.script, found)
  return left ? [] : found
}

/** Whether it leaves the folder. */
function visit(node: SyntaxNode, found: StartedFile[]): boolean {
  let left = false
  if (node.type === 'Command' && node.name !== undefined) {
    const name = node.name.text
    const [argument] = node.args
    const given = argument?.type === 'Word' ? argument.text : ''
    left = name === 'cd' || name === 'pushd'
    if (name.includes('/') && BESIDE.test(name)) found.push({ path: name, isProgram: true })
    else if (READS_A_FILE.test(name) && BESIDE.test(given) && /\.\w+$/.test(given))
      found.push({ path: given, isProgram: false })
  }
  forEachChild(node, (child) => {
    left = visit(child, found) || left
  })
  return left
}

const NAME = /^[A-Za-z][\w.+-]*$/

/** Programs that a script looks for on the search path; none where it has its own, or asks what is there. */
export function startedPrograms(script: string): string[] {
  const parsed = parseScript(script)
  if (!parsed.ok || /\bPATH=|\b(?:command|hash|type|which)\b|\.bashrc|\bsource\b/.test(script)) return []
  const [names, own] = [new Set<string>(), new Set<string>()]
  const look = (node: SyntaxNode): void => {
    if (node.type === 'Function') own.add(node.name.text)
    if (node.type === 'Command' && node.name !== undefined) names.add(node.name.text)
    forEachChild(node, look)
  }
  look(parsed.script)
  return [...names].filter((name) => NAME.test(name) && !isBuiltin(name) && !own.has(name))
}
