import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'

const act = (id: string, text: string): string => `\`\`\`act.${id}\n${text}\n\`\`\`\n`
const head = (rows: string): string => `---\nname: inc\n${rows}\n---\n# Inc\n`

describe('the default of a package', () => {
  it('may be an action that its first page includes, at any depth and under any spelling', async () => {
    const { reply, put } = await appPlace()
    put({
      'inc/string.md': `${head('default: hi')}[!include:more](parts/my%20more.md)\n`,
      'inc/parts/my more.md': '[!include:actions](../actions.md#of-all)\n',
      'inc/actions.md': `## Of all\n${act('hi', 'CLI echo hello')}## Others\n${act('lost', 'CLI echo lost')}`,
    })
    expect(await reply('/install inc')).toContain('Installed app:inc')
    expect(await reply('/open app:inc')).toContain('hello')
    expect(await reply('/install --tool --as t inc')).toContain('Installed tool:t')
    expect(await reply('/tool:t')).toBe('hello')
    put({ 'inc/string.md': `${head('default: lost')}[!include:more](parts/my%20more.md)\n` })
    expect(await reply('/install inc')).toContain(
      'string.md:3: The front matter has a wrong default: lost\n  It names an action of this document, or of a file of the package that it includes: hi',
    )
  })

  it('is refused where no action is shown, also when documents include each other', async () => {
    const { reply, put } = await appPlace()
    put({
      'inc/string.md': `${head('default: hi')}[!include:a](a.md)\n[!include:out](../out.md)\n`,
      'inc/a.md': '[!include:back](string.md)\n',
      'out.md': act('hi', 'CLI echo no'),
    })
    expect(await reply('/install inc')).toContain(
      'wrong default: hi\n  It names an action of this document, or of a file of the package that it includes: here is none',
    )
  })

  it('is doubted where an included one needs a value, or a tool of included ones has none', async () => {
    const { reply, put } = await appPlace()
    put({
      'inc/string.md': `${head('default: hi')}[!include:a](a.md)\n`,
      'inc/a.md': act('hi', 'CLI echo {x}\n  x: string (required)'),
      'two/string.md': `${head('type: tool')}[!include:a](a.md)\n`,
      'two/a.md': `${act('a', 'CLI echo a')}${act('b', 'CLI echo b')}`,
    })
    expect(await reply('/install --dry-run inc')).toContain('The default action hi needs x')
    expect(await reply('/install --dry-run two')).toContain('The tool has 2 actions and no default')
  })
})

it('names the line of each misspelt key, of the package and of a variable', async () => {
  const { reply, put } = await appPlace()
  put({ 'inc/string.md': head('env:\n  - name: H\n    defualt: x\ndefualt: hi') })
  const told = await reply('/install --dry-run inc')
  expect(told).toContain('string.md:5: The front matter has a key defualt')
  expect(told).toContain('string.md:6: The front matter has a key defualt')
})
