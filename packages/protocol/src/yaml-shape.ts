const MAX_DEPTH = 64
const MAX_BRACKETS = 1_000

/** Whether YAML is nested deeper than anything that a person writes: its parser recurses, and would end the process. */
export function isDeepYaml(text: string): boolean {
  const brackets = text.match(/[[{]/g)?.length ?? 0
  const deepest = text.split('\n').reduce((most, line) => Math.max(most, line.search(/\S|$/)), 0)
  const dashes = text.match(/(?:[-?:] ){3,}/g)?.some((run) => run.length / 2 > MAX_DEPTH) ?? false
  return brackets > MAX_BRACKETS || deepest > 4 * MAX_DEPTH || dashes
}
