import type { LinePart, ResponseNode, Save } from './response-template.ts'

/** The names that stand in the paths of files which an answer goes into, but for those that the response gives itself. */
export function namesInFiles(nodes: readonly ResponseNode[]): ReadonlySet<string> {
  const given = namesGiven(nodes)
  const names = savesIn(nodes).flatMap(({ to }) => to.flatMap(rootOf))
  return new Set(names.filter((name) => !given.has(name)))
}

/** What goes to a path that nothing of the answer decides, so that it is known before there is one. */
export function knownSaves(nodes: readonly ResponseNode[]): readonly Save[] {
  const given = namesGiven(nodes)
  return savesIn(nodes).filter(({ to }) => to.flatMap(rootOf).every((name) => !given.has(name)))
}

/** Everything that a response writes, in the order of its lines. */
export function savesIn(nodes: readonly ResponseNode[]): readonly Save[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'loop') return savesIn(node.body)
    return node.kind === 'save' ? [node.save] : []
  })
}

function namesGiven(nodes: readonly ResponseNode[]): ReadonlySet<string> {
  return new Set(['Response', ...nodes.flatMap(givenBy)])
}

function givenBy(node: ResponseNode): string[] {
  if (node.kind === 'set') return [node.isShortcut ? `@${node.name}` : node.name]
  return node.kind === 'loop' ? [node.name, ...node.body.flatMap(givenBy)] : []
}

function rootOf(part: LinePart): string[] {
  if (typeof part === 'string') return []
  return [part.kind === 'path' ? String(part.path[0]) : `@${part.shortcut}`]
}
