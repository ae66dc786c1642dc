/** Simple strings and expansions, which can be taken out without a doubt about where they end. */
const SIMPLE = [/"[^"'`\\{}()$[\]]*"/g, /\$\{[^'"`\\{}()]*\}/g, /\$?\([^'"`\\;#{}()\n]*\)/g]
const SINGLE = /'[^'"`\\{}()$[\]]*'/g

/** As deep as expansions are looked into. */
const ROUNDS = 4

/**
 * Whether an expansion ends for bash where we think it does. Quotes, comments and commands inside it have rules of their
 * own, which depend on what is around it: wherever these could matter the answer is no.
 */
export function endsForSure(region: string, inDouble: boolean): boolean {
  if (region.startsWith("$'")) return true
  if (region.startsWith('`')) return !/['"\\#$(]/.test(region)
  let inside = region.replace(/^\$?(\{|\(\(|\[)/, '').replace(/(\}|\)\)?|\])$/, '')
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const simple of inDouble ? SIMPLE : [...SIMPLE, SINGLE]) inside = inside.replace(simple, '')
  }
  return !/['"`\\{}()\n]/.test(inside) && !(region.startsWith('$[') && inside.includes('['))
}
