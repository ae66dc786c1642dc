import { type Assignment, type Command, forEachChild, type Script, type SyntaxNode } from 'unbash'

export interface Variables {
  readonly variables: Map<string, boolean>
  readonly assigned: Map<string, 'made' | 'passed on'>
}

/** These give a value to the names that they are called with. */
const FILLING = new Set(['read', 'mapfile', 'readarray', 'getopts', 'local', 'declare', 'typeset'])

/** The names that a script reads, and those that it gives a value. */
export function variablesOf(script: Script): Variables {
  const found: Variables = { variables: new Map(), assigned: new Map() }
  visit(script, found)
  return found
}

/** The variable that an expansion reads. */
export function nameRead(node: SyntaxNode): string | null {
  if (node.type === 'SimpleExpansion') return node.text.slice(1)
  return node.type === 'ParameterExpansion' ? node.parameter : null
}

function visit(node: SyntaxNode, found: Variables): void {
  const name = nameRead(node)
  if (name !== null && /^[A-Za-z]/.test(name)) {
    const hasDefault = node.type === 'ParameterExpansion' && /^:?[-+=]$/.test(node.operation?.operator ?? '')
    found.variables.set(name, (found.variables.get(name) ?? true) && hasDefault)
  }
  if (node.type === 'Assignment') assign(node, found)
  if (node.type === 'For' || node.type === 'Select') found.assigned.set(node.name.value, 'made')
  if (node.type === 'Command') fill(node, found)
  if (node.type === 'ArithmeticBinary' && node.operator === '=' && node.left.type === 'ArithmeticWord')
    found.assigned.set(node.left.value, 'made')
  forEachChild(node, (child) => visit(child, found))
}

function assign(node: Assignment, { assigned }: Variables): void {
  const isRead = reads(node, node.name)
  if (!isRead || !assigned.has(node.name)) assigned.set(node.name, isRead ? 'passed on' : 'made')
}

function reads(node: SyntaxNode, name: string): boolean {
  let isRead = nameRead(node) === name
  forEachChild(node, (child) => {
    isRead ||= reads(child, name)
  })
  return isRead
}

function fill({ name, args }: Command, { assigned }: Variables): void {
  const values = args.map((arg) => (arg.type === 'Word' ? arg.value : ''))
  const named = name?.value === 'printf' && values[0] === '-v' ? values.slice(1, 2) : []
  for (const each of FILLING.has(name?.value ?? '') ? values : named)
    if (!assigned.has(each)) assigned.set(each, 'made')
}
