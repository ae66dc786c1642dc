import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { WRITE } from '../../src/action/bash/know/refusal.ts'
import { compiledOf } from '../support/engine.ts'
import { accepted, forEach, furnish, runScript, runWith, standIns } from '../support/run-template.ts'
import { EVALUATING, HOSTILE } from './evaluating-templates.ts'
import { HARMLESS } from './harmless-templates.ts'

const { PATH = '' } = process.env
/** All of them before a release: they are thousands of shells. */
const FEW = Number(process.env.STRING_TEST_VALUES ?? 12)

describe('S32: a value in a command is text', () => {
  it.each(Object.entries(EVALUATING))(
    'in every spelling, or the template is refused: %s',
    async (_group, templates) => {
      const root = tempDir()
      const runs = templates.flatMap((template) => {
        const compiled = accepted(template)
        return compiled === null ? [] : HOSTILE.slice(0, FEW).map((value) => ({ template, compiled, value }))
      })
      const evaluated: string[] = []
      await forEach(runs, async ({ template, compiled, value }, at) => {
        const ran = await runWith(compiled, value, join(root, `${at}`), PATH)
        if (ran?.hasMarker === true) evaluated.push(`${template} <- ${value}`)
      })
      expect(evaluated).toEqual([])
    },
  )

  it('has a table in which each spelling would run a value', async () => {
    const root = tempDir()
    const found: string[] = []
    const sample = [
      ['n={v}; [ $n -gt 5 ]', '-v x[$(>M)] -o 1'],
      ['for((i=0;i<{v};i++)); do :; done', 'x[$(touch M)]'],
      ['x={v}; a[$x]=1', 'x[$(touch M)]'],
      ['printf {v} x', '-vx[$(touch M)]'],
      ['echo {v} | timeout 5 bash', 'touch M'],
      ['echo {v} | (bash)', 'touch M'],
      ['echo {v} | "bash"', 'touch M'],
      ['echo {v} | bash /dev/stdin', 'touch M'],
      ['bash <(echo {v})', 'touch M'],
      ['$(echo {v})', 'touch M'],
      ['echo {v} | xargs -I% sh -c "%"', 'touch M'],
      ['x={v}; RANDOM=$x', 'x[$(touch M)]'],
      ['x=(1); declare x={v}', '($(touch M))'],
      ["x={v}; o='-v a[x]'; [ $o ]", 'b[$(touch M)]'],
      ['echo {v} > s.sh; bash s.sh', 'touch M'],
      ['echo {v} | sed e', 'touch M'],
      ['x={v}; echo "${x@P}"', '$(touch M)'],
      ['echo {v} > x1; cat x* > z; bash z', 'touch M'],
      ['echo {v} | split - x; bash xaa', 'touch M'],
      ['touch -- {v}; ls > l; bash l', 'touch M'],
      ['touch -- {v}; for f in *; do perl -ne print "$f"; done', 'touch M|'],
      ['echo {v} > ~/.profile; bash -lc :', 'touch M'],
      ['echo {v} > .gitconfig; git x', '[alias]\nx=!touch M'],
      ['echo {v} > ls; chmod +x ls; PATH=.:$PATH command ls', 'touch M'],
      ['/proc/self/exe -c {v}', 'touch M'],
      ['echo {v} | split --filter=sh', 'touch M'],
      ['git init -q .; echo one > f; git add f; git grep -n {v} one', '-Otouch M;'],
      ['export x={v}; awk \'BEGIN{system(ENVIRON["x"])}\'', 'touch M'],
      ["awk 'BEGIN { r = 8 /2; system(ARGV[1]); s = 8 /2 }' {v}", 'touch M'],
    ] as const
    await forEach(sample, async ([template, value], at) => {
      expect(accepted(template), template).toBeNull()
      const compiled = accepted(template, '  unsafe: true\n')
      const ran = compiled === null ? null : await runWith(compiled, value, join(root, `${at}`), PATH)
      if (ran?.hasMarker === true) found.push(template)
    })
    expect([...found].sort()).toEqual(sample.map(([template]) => template).sort())
  })
})

describe('a template of the kind that apps have', () => {
  const VALUES = [
    `it's "all" $(touch M) \`touch M\` of \\ it * ~ {a,b} %s !`,
    '-x --name=y; touch M',
    `  x[$(touch M)] 日本 ';touch M;' $HOME `,
  ]

  it('S32: is accepted, and gives every value as it is', async () => {
    const root = tempDir()
    const path = `${standIns(join(root, 'bin'))}:${PATH}`
    const wrong: string[] = []
    const runs = HARMLESS.flatMap((template) => VALUES.map((value) => ({ template, value })))
    await forEach(runs, async ({ template, value }, at) => {
      const compiled = accepted(template)
      const dir = join(root, `${at}`)
      furnish(dir)
      const ran = compiled === null ? null : await runWith(compiled, value, dir, path)
      const arrives = template.includes('$ARGS') ? [...value.split(' '), 'touch', 'M'].join('\0') : value
      const isRight = ran !== null && !ran.hasMarker && `${ran.stdout}${ran.files}`.includes(arrives)
      if (!isRight) wrong.push(`${template} <- ${value}: ${ran?.stdout}`)
    })
    expect(wrong).toEqual([])
    expect(HARMLESS.length).toBeGreaterThan(60)
  })

  it('means what its author wrote', async () => {
    const root = tempDir()
    const path = `${standIns(join(root, 'bin'))}:${PATH}`
    await forEach(HARMLESS, async (template, at) => {
      const [ours, theirs] = [join(root, 'a', `${at}`), join(root, 'b', `${at}`)]
      furnish(ours)
      furnish(theirs)
      const compiled = accepted(template)
      const ran = compiled === null ? null : await runWith(compiled, 'Plain_1', ours, path)
      const written = template.replaceAll('{v}', 'Plain_1').replaceAll('$ARGS', 'Plain_1 touch M')
      const expected = await runScript(`${written}\n:\n`, {}, theirs, path)
      const plain = (text = ''): string => text.replaceAll(ours, 'DIR').replaceAll(theirs, 'DIR')
      expect([template, plain(ran?.stdout), plain(ran?.files)]).toEqual([
        template,
        plain(expected.stdout),
        plain(expected.files),
      ])
    })
  })
})

describe('the guide', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/actions.md'), 'utf8')
  const rows = [...guide.matchAll(/^\| `+ ?(.*?) ?`+ \| `(.*)` \|$/gm)].map(
    ([, bad = '', good = '']) => [bad, good] as const,
  )

  it.each(rows)('says what is refused, and what is accepted: %s', (bad, good) => {
    const isAccepted = (template: string): boolean => compiledOf(`CLI ${template}\n  q: string\n  n: number`).ok
    expect([isAccepted(bad), isAccepted(good)]).toEqual([false, true])
  })

  it('has rows', () => expect(rows.length).toBeGreaterThan(8))
})

describe('a message that refuses a template', () => {
  it.each(Object.entries(WRITE))('recommends only what is accepted: %s', (_name, spelling) => {
    expect(compiledOf(`CLI ${spelling}\n  q: string\n  n: number`)).toMatchObject({ ok: true })
  })
})
