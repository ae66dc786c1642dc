import { LIMITS } from './limits.ts'

/** Whether YAML is nested deeper than anything that a person writes: its parser recurses, and would end the process. */
export function isDeepYaml(text: string): boolean {
  const brackets = text.match(/[[{]/g)?.length ?? 0
  const deepest = text.split('\n').reduce((most, line) => Math.max(most, line.search(/\S|$/)), 0)
  const dashes = text.match(/(?:[-?:][ \t]){3,}/g)?.some((run) => run.length / 2 > LIMITS.yamlDepth) ?? false
  return brackets > LIMITS.yamlBrackets || deepest > 4 * LIMITS.yamlDepth || dashes
}
