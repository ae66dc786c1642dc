import { chmodSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOSTILE } from '../../packages/stringd/test/action/evaluating-templates.ts'
import { HARMLESS } from '../../packages/stringd/test/action/harmless-templates.ts'
import {
  accepted,
  type Fence,
  forEach,
  runScript,
  runWith,
  standIns,
  VARIABLES,
} from '../../packages/stringd/test/support/run-template.ts'
import { canBeOther } from '../support/other-user.ts'
import { tempDir } from '../support/temp.ts'
import { BashGrammar } from './bash-grammar.ts'

const { PATH = '' } = process.env
/** Another one looks elsewhere; more looks longer. */
const SEED = Number(process.env.STRING_FUZZ_SEED ?? 20261115)
const TEMPLATES = Number(process.env.STRING_FUZZ_TEMPLATES ?? 2_000)

const values = HOSTILE.filter((value) => value.length < 1_000)
/** How a value gets into a variable, a parameter or an array. */
const SOURCES = [
  'x={v}',
  'set -- {v}',
  'a=({v})',
  'y={v}; x=$y',
  'read -r x <<< {v}',
  'f() { x=$1; }; f {v}',
  'export x={v}',
  'x=$(echo {v})',
]

/** Scripts that nobody has read may fork without end: they run as a user of their own that may have few processes. */
const FENCE: Fence = { uid: 61_832, processes: 64 }

/** A folder that the fenced user can reach. */
function fencedDir(): string {
  const root = tempDir()
  chmodSync(tmpdir(), 0o711)
  chmodSync(root, 0o711)
  return root
}

function uidOf(pid: string): number | null {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? null
}

describe.runIf(canBeOther)('S32: templates that are made by the grammar of bash', () => {
  it('run behind a fence: a script gets so many processes, and leaves none', async () => {
    const root = fencedDir()
    const script = 'for i in {1..200}; do sleep 60 & done 2> /dev/null; jobs -p | wc -l'
    const { stdout } = await runScript(script, {}, join(root, 'a'), PATH, FENCE)
    expect(Number(stdout || 0)).toBeLessThan(FENCE.processes)
    const left = (): number[] =>
      readdirSync('/proc')
        .filter((pid) => uidOf(pid) === FENCE.uid)
        .map(Number)
    await expect.poll(left).toEqual([])
  })

  it('are refused, or run no value', async () => {
    const root = fencedDir()
    const path = `${standIns(join(root, 'bin'), 'sudo git docker npm kubectl systemctl curl wget rm mv cp open xdg-open')}:${PATH}`
    const grammar = new BashGrammar(SEED)
    const made = Array.from({ length: TEMPLATES }, () => grammar.script())
    // What reads and writes the same variables, one behind the other.
    const pieces = [...HARMLESS, ...made.map((template) => template.replaceAll('{v}', '$x'))]
    const joined = Array.from({ length: TEMPLATES / 5 }, () =>
      [grammar.pick(SOURCES), grammar.pick(pieces), grammar.pick(pieces)].join('\n'),
    )
    const runs = [...made, ...joined].flatMap((template) => {
      const compiled = accepted(template)
      const picked = [...values.slice(0, 2), grammar.pick(values)]
      return compiled === null ? [] : picked.map((value) => ({ template, compiled, value }))
    })
    const evaluated: string[] = []
    await forEach(runs, async ({ template, compiled, value }, at) => {
      const ran = await runWith(compiled, value, join(root, `${at}`), path, FENCE)
      if (ran?.hasMarker === true) evaluated.push(`${template} <- ${value}`)
    })
    expect(evaluated).toEqual([])
    expect(runs.length).toBeGreaterThan(TEMPLATES / 20)
  })

  it('do what bash would do with a plain value, where they are accepted', async () => {
    const root = fencedDir()
    const grammar = new BashGrammar(SEED + 1)
    const isCertain = (template: string): boolean =>
      !/RANDOM|\$[$!_]|&(?![&>\d])|<\(|~|time|ARGS|\\\{v\}|\$\{v\}/.test(template)
    const templates = Array.from({ length: TEMPLATES / 2 }, () => grammar.script()).filter(isCertain)
    const different: string[] = []
    await forEach(templates, async (template, at) => {
      const compiled = accepted(template)
      const typed = `${template.replaceAll('{v}', 'Value_1')}\n:`
      const expected = compiled === null ? null : await runScript(typed, VARIABLES, join(root, `b${at}`), PATH, FENCE)
      // What bash cannot read at all, our parser may still understand.
      if (compiled === null || expected?.status === 2) return
      const ran = await runWith(compiled, 'Value_1', join(root, `a${at}`), PATH, FENCE)
      if (ran === null) return
      if (ran.stdout !== expected?.stdout || ran.files !== expected?.files) different.push(template)
    })
    expect(different).toEqual([])
  })
})
