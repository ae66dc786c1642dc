import { LIMITS } from '@string-os/protocol'
import type { Script } from 'unbash'
import { type Fault, isAny, together } from '../../declare/field.ts'
import { Facts } from '../know/facts.ts'
import { REFUSED, type Refusal } from '../know/refusal.ts'
import { type Marked, rowOf } from '../mark.ts'
import { nodesIn, parseScript } from '../parse.ts'
import type { ScriptPart } from '../script-part.ts'
import { writeList } from './statement.ts'
import type { Code, Walk } from './walk.ts'

interface Found {
  readonly refusal: Refusal
  readonly at: number
}

interface Translated {
  readonly ok: true
  readonly parts: readonly ScriptPart[]
}

/**
 * Writes a script anew from its syntax tree, every literal text quoted and every value by its name; or says what in it is
 * not known to take a value for text. What bash reads is what was judged, however the original could be read.
 */
export function translate(script: Script, marked: Marked): Translated | Fault {
  const facts = new Facts()
  const most = Math.min(LIMITS.commandTemplatePasses, Math.ceil(LIMITS.commandTemplateWork / nodesIn(script)))
  for (let pass = 0; pass < most; pass += 1) {
    const before = facts.size
    const found: Found[] = []
    const walk = createWalk(facts, marked, found)
    const { parts } = writeList(script.commands, 'own', walk)
    // What is learned late may change what was written early.
    if (facts.size !== before) continue
    const wrong = distinct(found.sort((a, b) => a.at - b.at)).map(
      ({ refusal, at }): Fault => ({ ok: false, ...refusal, row: rowOf(marked.text, at) }),
    )
    return isAny(wrong) ? together(wrong) : { ok: true, parts }
  }
  return { ok: false, ...REFUSED.duplicates }
}

/** Once for every reason, and once for every place: what follows from the first is no mistake of its own. */
function distinct(found: readonly Found[]): Found[] {
  return found.filter(
    ({ refusal, at }, index) =>
      !found.slice(0, index).some((each) => each.at === at || each.refusal.problem === refusal.problem),
  )
}

function createWalk(facts: Facts, marked: Marked, found: Found[]): Walk {
  const walk: Walk = {
    facts,
    marked,
    isBash: true,
    input: 'own',
    refuse: (refusal, at) => found.push({ refusal, at }),
    commands: (script, input, at) =>
      writeList(script.commands, input, script.source === undefined ? walk : inside(walk, at)),
    code: (code) => writeCode(code, walk),
  }
  return walk
}

/** What is read from another text has its places there: a refusal is of the place around it. */
function inside(walk: Walk, at: number): Walk {
  return { ...walk, refuse: (refusal) => walk.refuse(refusal, at) }
}

function writeCode({ text, isBash, input, at }: Code, walk: Walk): string | null {
  const parsed = parseScript(text)
  if (!parsed.ok) {
    walk.refuse({ problem: `in the code of a shell ${parsed.problem}`, instead: REFUSED.code.instead }, at)
    return null
  }
  // Other shells know no here-strings, which is what here-documents are written as.
  if (!isBash && text.includes('<<')) walk.refuse(REFUSED.heredocEnd, at)
  const inner: Walk = {
    ...inside(walk, at),
    isBash,
    commands: (commands, given) => writeList(commands.commands, given, inner),
  }
  const { parts } = writeList(parsed.script.commands, input, inner)
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}
