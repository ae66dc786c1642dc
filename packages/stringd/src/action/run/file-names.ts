import type { LinePart, ResponseNode } from './response-template.ts'

/** The names that stand in the paths of files which an answer goes into, but for those that the response gives itself. */
export function namesInFiles(nodes: readonly ResponseNode[]): ReadonlySet<string> {
  const given = new Set(['Response', ...nodes.flatMap(givenBy)])
  return new Set(nodes.flatMap(filesOf).flatMap((part) => rootOf(part).filter((name) => !given.has(name))))
}

function givenBy(node: ResponseNode): string[] {
  if (node.kind === 'set') return [node.isShortcut ? `@${node.name}` : node.name]
  return node.kind === 'loop' ? [node.name, ...node.body.flatMap(givenBy)] : []
}

function filesOf(node: ResponseNode): readonly LinePart[] {
  if (node.kind === 'save') return node.save.to
  return node.kind === 'loop' ? node.body.flatMap(filesOf) : []
}

function rootOf(part: LinePart): string[] {
  if (typeof part === 'string') return []
  return [part.kind === 'path' ? String(part.path[0]) : `@${part.shortcut}`]
}
