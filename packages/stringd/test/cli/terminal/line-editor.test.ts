import type { CompletionItem, CompletionView } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { testEditor } from '../../support/editor.ts'

const UP = '\x1b[A'
const DOWN = '\x1b[B'
const RIGHT = '\x1b[C'
const LEFT = '\x1b[D'
const PASTE = (text: string): string => `\x1b[200~${text}\x1b[201~`

function view(from: number, texts: readonly string[], kind: CompletionItem['kind'] = 'file'): CompletionView {
  const items = texts.map((text) => ({ text, kind, about: `about ${text}` }))
  return { from, items, total: items.length, usage: null }
}

describe('keys in, text out', () => {
  it.each([
    ['typed', 'hello', 'hello|'],
    ['left and right', `abc${LEFT}${LEFT}x${RIGHT}y`, 'axby|c'],
    ['start and end of the line', 'bc\x01a\x05d', 'abcd|'],
    ['backspace and delete', `abcd\x7f${LEFT}${LEFT}\x04`, 'a|c'],
    ['words', 'one two\x1bbX\x1bf\x1b\x7f', 'one |'],
    ['kill to the start and put back', 'one two\x15x\x19', 'xone two|'],
    ['kill the word before', '/open ./a/b.md\x17', '/open |'],
    ['kill to the end', `abc${LEFT}${LEFT}\x0b`, 'a|'],
    ['undo', 'one\x15\x1f', 'one|'],
    ['wide characters', `漢字${LEFT}x`, '漢x|字'],
    ['a family is one character', `a👨‍👩‍👧b${LEFT}\x7f`, 'a|b'],
    ['a combining mark goes with its letter', 'ae\u0301\x7f', 'a|'],
  ])('%s', (_name, keys, text) => {
    const { editor, type, seen } = testEditor()
    type(keys)
    const at = text.indexOf('|')
    expect(editor.text).toBe(text.replace('|', ''))
    if (/^[\x20-\x7e]*$/.test(text)) expect(seen()).toBe(`> ${text}`.trimEnd().replace(/^>\|/, '> |'))
    else expect(at).toBeGreaterThan(0)
  })

  it('Enter sends, Alt-Enter and Ctrl-J make a line, and the arrows go between lines', () => {
    const { type, seen } = testEditor()
    type('one\x1b\rtwo\nthree')
    expect(seen()).toBe('> one\n… two\n… three|')
    type(`${UP}${UP}!`)
    expect(seen()).toBe('> one!|\n… two\n… three')
    expect(type('\r')).toEqual([{ kind: 'enter', text: 'one!\ntwo\nthree' }])
  })

  it('what is pasted is one text, whatever line ends and keys it holds', () => {
    const { editor, type } = testEditor()
    expect(type(PASTE('one\r\ntwo\rthree\tx\x1b[2J'))).toEqual([])
    expect(editor.text).toBe('one\ntwo\nthree\tx\x1b[2J')
    expect(type('\r')).toEqual([{ kind: 'enter', text: editor.text }])
  })

  it('S24: shows what was pasted and would control the terminal in a visible form', () => {
    const { type, terminal } = testEditor()
    type(PASTE('a\x1b]0;t\x07b\x9b2J\u202e'))
    expect(terminal.text()).toBe('> a\\x1b]0;t\\x07b\\x9b2J\\u202e')
  })

  it('Ctrl-D leaves where nothing is typed, Ctrl-C interrupts, Ctrl-L clears, Ctrl-Z suspends', () => {
    const { type } = testEditor()
    expect(type('\x04\x03\x0c\x1a').map(({ kind }) => kind)).toEqual(['leave', 'interrupt', 'clear-screen', 'suspend'])
  })

  it('a command that needs lines gets them until an empty one', () => {
    const unfinished = (text: string) =>
      text.startsWith('/write') && !text.includes('\n') ? { text: `${text}\n`, isBody: true } : null
    const { type, seen } = testEditor({ unfinished }, 60)
    expect(type('/write a.md\r')).toEqual([])
    expect(type('one\r')).toEqual([])
    expect(seen()).toBe('> /write a.md\n… one\n… |Enter sends it; Alt-Enter makes an empty line')
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/write a.md\none' }])
  })
})

describe('what was typed before', () => {
  const history = ['/open b.md', '/write x\nbody', '/open a.md']

  it('comes back with the arrows, and so does what was being typed', () => {
    const { editor, type } = testEditor({ history })
    type(`new${UP}`)
    expect(editor.text).toBe('/open b.md')
    type(UP)
    expect(editor.text).toBe('/write x\nbody')
    type(`${UP}${UP}${UP}`)
    expect(editor.text).toBe('/open a.md')
    type(`${DOWN}${DOWN}${DOWN}`)
    expect(editor.text).toBe('new')
  })

  it('is suggested grey behind the cursor, and taken with the right arrow', () => {
    const { editor, type, seen } = testEditor({ history })
    type('/op')
    expect(seen()).toBe('> /op|en b.md')
    type(RIGHT)
    expect(editor.text).toBe('/open b.md')
  })

  it('is not suggested where nothing can be grey: it would look as if it had been typed', () => {
    const { editor, type, seen } = testEditor({ history, isPlain: true })
    type('/op')
    expect(seen()).toBe('> /op|')
    type(`${RIGHT}\x05`)
    expect(editor.text).toBe('/op')
    type('en')
    editor.offer('/open', { from: 0, items: [], total: 0, usage: '/open [TARGET]' })
    type(LEFT + RIGHT)
    expect(seen()).toBe('> /open| ([TARGET])')
    type(`\x15${UP}`)
    expect(editor.text).toBe('/open b.md')
  })

  it('is suggested only where it fits and was no mistake, and is found in any case', () => {
    const passing = testEditor({ history, belongs: (entry) => entry.startsWith('/open') })
    passing.type(UP)
    passing.type(UP)
    expect(passing.editor.text).toBe('/open a.md')
    passing.type(DOWN)
    expect(passing.editor.text).toBe('/open b.md')
    passing.type(DOWN)
    expect(passing.editor.text).toBe('')
    passing.editor.remember('typed here')
    passing.type(UP)
    expect(passing.editor.text).toBe('typed here')
    const { editor, type, seen } = testEditor({ history, suggests: (entry) => entry.startsWith('/open') })
    type('/w')
    expect(seen()).toBe('> /w|')
    editor.refuse('/open b.md')
    type('\x15/op')
    expect(seen()).toBe('> /op|en a.md')
    type(`\x15${UP}`)
    expect(editor.text).toBe('/open b.md')
    editor.remember('/open b.md')
    type('\x15/op')
    expect(seen()).toBe('> /op|en b.md')
    const later = testEditor({ history, refused: ['/open b.md'] })
    later.type('/op')
    expect(later.seen()).toBe('> /op|en a.md')
  })

  it('that is long is found with what was searched for beside it, so that both are seen', () => {
    const { type, seen } = testEditor({
      history: [`/find ${'word '.repeat(60)}needle behind`, '/write x\nbody with a needle'],
    })
    type('\x12needle')
    expect(seen()).toMatch(/^search: needle · …word \|needle behind\n> \/find (?:word )+…\n {2}\/write x …$/)
    type('\x12')
    expect(seen()).toMatch(/^search: needle · …th a \|needle\n {2}\/find .*\n> \/write x …$/)
  })

  it('is found with Ctrl-R, older ones with Ctrl-R again; Enter sends, Tab edits, Ctrl-G leaves all as it was', () => {
    const { editor, type, seen } = testEditor({ history })
    type('draft\x12open')
    expect(seen()).toBe('search: open · /|open b.md\n> /open b.md\n  /open a.md')
    type('\x12')
    expect(seen()).toBe('search: open · /|open a.md\n  /open b.md\n> /open a.md')
    type('zzz')
    expect(seen()).toBe('nothing found: openzzz · |')
    type('\x7f\x7f\x7f\t')
    expect(editor.text).toBe('/open b.md')
    type('\x12BODY\x07')
    expect(editor.text).toBe('/open b.md')
    expect(type('\x12body\r')).toEqual([{ kind: 'enter', text: '/write x\nbody' }])
  })

  it('Alt-. puts its last word where the cursor is, and again the one of the line before', () => {
    const { editor, type } = testEditor({ history: ['cp a "b c"', 'ls', 'cat d\\ e'] })
    type('less \x1b.')
    expect(editor.text).toBe('less "b c"')
    type('\x1b.\x1b.')
    expect(editor.text).toBe('less d\\ e')
    type('\x1b.')
    expect(editor.text).toBe('less d\\ e')
    type(' \x1b.')
    expect(editor.text).toBe('less d\\ e "b c"')
    expect(type('\x18\x05')).toEqual([{ kind: 'edit-outside' }])
    expect(type('\x18a\x05')).toEqual([])
  })

  it('Ctrl-R lists it, the newest first, and what is typed narrows the list; the arrows choose', () => {
    const { editor, type, seen } = testEditor({ history })
    type('draft\x12')
    expect(seen()).toBe('search:  · |\n  /open b.md\n  /write x …\n  /open a.md')
    type(`${DOWN}${DOWN}`)
    expect(seen()).toBe('search:  · |/write x\n… body\n  /open b.md\n> /write x …\n  /open a.md')
    type('a')
    expect(seen()).toBe('search: a · /open |a.md')
    type(`\x7f${UP}${RIGHT}`)
    expect(editor.text).toBe('/open a.md')
    type('\x15draft\x12zz\x07')
    expect(editor.text).toBe('draft')
    // Of what is only listed, none is meant.
    expect(type('\x12\r')).toEqual([{ kind: 'enter', text: 'draft' }])
  })
})

describe('completion', () => {
  it('Tab asks, takes the only one with a blank behind it, and leaves a folder open', () => {
    const { editor, type, draw, seen } = testEditor()
    expect(type('/open RE\t')).toEqual([{ kind: 'complete' }])
    expect(editor.offer('/open RE', view(6, ['README.md']))).toBe(true)
    draw()
    expect(seen()).toBe('> /open README.md |')
    type('\x15/open d')
    editor.offer('/open d', view(6, ['docs/'], 'folder'))
    type('\t')
    draw()
    expect(seen()).toBe('> /open docs/|')
  })

  it('Tab rings where nothing can stand there, whether that was known or had to be asked', () => {
    const { editor, type } = testEditor()
    expect(type('/open x\t')).toEqual([{ kind: 'complete' }])
    expect(editor.offer('/open x', view(6, []))).toBe('bell')
    expect(type('\t')).toEqual([{ kind: 'bell' }])
    expect(editor.text).toBe('/open x')
  })

  it('what is found in another case or within a name takes the place of what was typed', () => {
    const { editor, type } = testEditor()
    type('/open shoot')
    editor.offer('/open shoot', view(6, ['troubleshooting.md']))
    type('\t')
    expect(editor.text).toBe('/open troubleshooting.md ')
    type('\x15/open re')
    editor.offer('/open re', view(6, ['README.md', 'READY.md']))
    type('\t')
    expect(editor.text).toBe('/open READ')
    // A file of a new name is not taken for one that only holds it.
    type('\x15/write ')
    editor.offer('/write ', view(7, ['renew.md', 'a.md']))
    type('\tnew')
    editor.offer('/write new', view(7, ['renew.md']))
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/write new' }])
  })

  it('chooses the first where what they share is another of them whole, which Enter would take', () => {
    const { editor, type, seen, draw } = testEditor()
    type('/open ag\t')
    editor.offer('/open ag', view(6, ['agent.md', 'agent']))
    expect(editor.text).toBe('/open agent.md')
    expect(type('x\x7f')).toEqual([])
    type('\x15/open fo\t')
    editor.offer('/open fo', view(6, ['foo', 'foo.md']))
    expect(editor.text).toBe('/open foo')
    draw()
    expect(seen()).toContain('  foo.md')
  })

  it('Tab shows flags where nothing is typed, and writes no dashes: a value may come as well', () => {
    const { editor, type } = testEditor()
    type('/act.order 1 ')
    editor.offer('/act.order 1 ', view(13, ['--id', '--days'], 'flag'))
    type('\t')
    expect(editor.text).toBe('/act.order 1 ')
    type('7')
    expect(editor.text).toBe('/act.order 1 7')
  })

  it('of several, Tab takes what they share and shows them below; the next Tabs choose, Enter takes, Escape does not', () => {
    const { editor, type, seen, terminal } = testEditor({}, 44)
    type('/open ')
    editor.offer('/open ', view(6, ['docs/a.md', 'docs/b.md']))
    type('\t')
    expect(seen()).toBe('> /open docs/|\n  docs/a.md  about docs/a.md\n  docs/b.md  about docs/b.md')
    type('\t\t')
    expect(seen()).toBe('> /open docs/b.md|\n  docs/a.md  about docs/a.md\n> docs/b.md  about docs/b.md')
    type('\x07')
    expect(seen()).toBe('> /open docs/|')
    editor.offer('/open docs/', view(6, ['docs/a.md', 'docs/b.md']))
    type(`\t${DOWN}\r`)
    expect(terminal.text()).toBe('> /open docs/a.md')
    expect(editor.text).toBe('/open docs/a.md ')
  })

  it('typing on narrows an open menu, and what comes for another text is not shown', () => {
    const { editor, type, terminal, draw } = testEditor()
    type('/')
    editor.offer('/', view(0, ['/open', '/ls'], 'command'))
    type('\to')
    expect(editor.offer('/', view(0, ['/open', '/ls']))).toBe(false)
    editor.offer('/o', view(0, ['/open'], 'command'))
    draw()
    expect(terminal.text()).toBe('> /o\n  /open  about /open')
    // More follows a command: what was taken is seen, and runs with the next Enter.
    expect(type('\r')).toEqual([])
    expect(editor.text).toBe('/open ')
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/open ' }])
  })

  it('Enter takes the one entry that typing has left of a menu, and runs it; of several, what was typed', () => {
    const { editor, type } = testEditor()
    const all = view(6, ['#first', '#five', '#last'], 'block')
    type('/open #')
    editor.offer('/open #', all)
    type('\tl')
    editor.offer('/open #l', view(6, ['#last'], 'block'))
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/open #last ' }])
    type('\x15/open #')
    editor.offer('/open #', all)
    type('\tf')
    editor.offer('/open #f', view(6, ['#first', '#five'], 'block'))
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/open #f' }])
    // What is left is not known yet: it is asked for once, and the key comes again.
    type('\x15/open #')
    editor.offer('/open #', all)
    expect(type('\tla\r')).toEqual([{ kind: 'complete', isPressedAgain: true }])
    editor.offer('/open #la', view(6, ['#last'], 'block'))
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/open #last ' }])
    type('\x15/open #')
    editor.offer('/open #', all)
    expect(type('\tx\r\r')).toEqual([
      { kind: 'complete', isPressedAgain: true },
      { kind: 'enter', text: '/open #x' },
    ])
    // Without a menu nothing but what stands there is meant.
    type('\x15/open #la')
    editor.offer('/open #la', view(6, ['#last'], 'block'))
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/open #la' }])
  })

  it('Tab takes the one entry that typing has left of a menu, with a blank behind it, and closes that', () => {
    const { editor, type, draw, seen } = testEditor()
    const all = view(0, ['/act.add', '/act.drop'], 'command')
    type('/act.')
    editor.offer('/act.', all)
    type('\tad')
    editor.offer('/act.ad', view(0, ['/act.add'], 'command'))
    type('\tx')
    draw()
    expect(seen()).toBe('> /act.add x|')
    // The same where what is left had to be asked for.
    type('\x15/act.')
    editor.offer('/act.', all)
    expect(type('\tad\t')).toEqual([{ kind: 'complete' }])
    editor.offer('/act.ad', view(0, ['/act.add'], 'command'))
    expect(editor.text).toBe('/act.add ')
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/act.add ' }])
  })

  it('a key that goes through the menu waits for one that holds what has been typed since', () => {
    const { editor, type, draw, seen } = testEditor()
    const all = view(6, ['#alpha', '#stack', '#status'])
    type('/open #')
    editor.offer('/open #', all)
    type('\t')
    expect(type('sta\t')).toEqual([{ kind: 'complete' }])
    expect(editor.text).toBe('/open #sta')
    editor.offer('/open #sta', view(6, ['#stack', '#status']))
    draw()
    expect(seen()).toBe('> /open #stack|\n> #stack   about #stack\n  #status  about #status')
    type('\x07')
    editor.offer('/open #sta', view(6, ['#stack', '#status']))
    expect(type(`\ttus${UP}`)).toEqual([{ kind: 'complete' }])
    editor.offer('/open #status', view(6, ['#status']))
    expect(editor.text).toBe('/open #status')
    type('\x15/open #')
    editor.offer('/open #', all)
    // What nothing is known of stays as it was typed.
    expect(type(`\tx${DOWN}`)).toEqual([{ kind: 'complete' }])
    editor.offer('/open #x', view(6, []))
    expect(editor.text).toBe('/open #x')
    expect(type('\r')).toEqual([{ kind: 'enter', text: '/open #x' }])
  })

  it('of very many, a window is shown that holds the chosen one, and how many more there are', () => {
    const { editor, type, terminal } = testEditor()
    const texts = Array.from({ length: 20 }, (_, index) => `file-${String(index).padStart(2, '0')}`)
    type('/open f')
    editor.offer('/open f', view(6, texts))
    type(`\t${DOWN.repeat(9)}`)
    const lines = terminal.text().split('\n')
    expect(lines).toHaveLength(9)
    expect(lines[0]).toBe('> /open file-08')
    expect(lines).toContain('> file-08  about file-08')
    expect(lines.at(-1)).toBe('  … 13 more')
  })

  it('a menu takes up to a third of a high window', () => {
    const { editor, type, terminal } = testEditor({}, 40, 45)
    type('/open f')
    editor.offer(
      '/open f',
      view(
        6,
        Array.from({ length: 20 }, (_, index) => `file-${index}`),
      ),
    )
    type('\t')
    const lines = terminal.text().split('\n')
    expect(lines).toHaveLength(16)
    expect(lines.at(-1)).toBe('  … 6 more')
  })

  it('is not suggested where only Tab is to show it', () => {
    const { editor, type, draw, seen } = testEditor({ foretells: () => false })
    type('print(d')
    editor.offer('print(d', view(6, ['doc.md']))
    draw()
    expect(seen()).toBe('> print(d|')
    type('\t')
    expect(seen()).toBe('> print(doc.md |')
  })

  it('shows how the command goes on: the word, or what it takes', () => {
    const { editor, type, draw, seen } = testEditor()
    type('/op')
    editor.offer('/op', view(0, ['/open'], 'command'))
    draw()
    expect(seen()).toBe('> /op|en')
    type(`${RIGHT} `)
    editor.offer('/open ', { ...view(6, ['a.md', 'b.md']), usage: '/open [TARGET] [--page N]' })
    draw()
    expect(seen()).toBe('> /open |[TARGET] [--page N]')
  })
})

describe('on a screen', () => {
  it('long text goes on in the next row, wide characters whole, and the cursor stands where one types', () => {
    const { type, seen, terminal } = testEditor({}, 10)
    type('12345678')
    expect(seen()).toBe('> 12345678\n|')
    type('\x7f漢字')
    expect(terminal.text()).toBe('> 1234567\n漢字')
    expect(terminal.cursor).toEqual({ row: 1, column: 4 })
  })

  it('leaves nothing behind when the text becomes shorter or the menu goes', () => {
    const { editor, type, terminal, seen } = testEditor({}, 10)
    type('1234567890123456789')
    type('\x15')
    expect(terminal.text()).toBe('>')
    type('/')
    editor.offer('/', view(0, ['/a', '/b']))
    type('\t\x07')
    expect(seen()).toBe('> /|a')
  })

  it.each([6, 9, 15, 40, 80])('a terminal that becomes %d columns wide shows the prompt once', (columns) => {
    const { type, terminal, draw } = testEditor({}, 20)
    terminal.write('before\r\n')
    draw()
    type('a-line-that-is-longer-than-the-screen')
    terminal.resize(columns)
    draw()
    expect(terminal.text().replaceAll('\n', '')).toMatch(/> a-line-that-is-longer-than-the-screen$/)
    expect(terminal.text().match(/>/g)?.length).toBeLessThanOrEqual(2)
  })

  it('a megabyte in one line is typed on in no time', () => {
    const { editor, type, seen } = testEditor({}, 20, 5)
    editor.insert('x'.repeat(1024 * 1024))
    type(`y${LEFT}${LEFT}z`.repeat(20))
    expect(seen()).toMatch(/x{20}\n[xyz]+\|[xyz]*$/)
    expect(editor.text).toHaveLength(1024 * 1024 + 40)
  })

  it('of a text that is higher than the screen the part around the cursor is shown', () => {
    const { type, terminal } = testEditor({}, 20, 5)
    type(PASTE(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')))
    expect(terminal.text().split('\n')).toEqual(['… line 95', '… line 96', '… line 97', '… line 98', '… line 99'])
    type('\x1b[1;5H')
    expect(terminal.text().split('\n')).toEqual(['> line 0', '… line 1', '… line 2', '… line 3', '… line 4'])
  })
})

describe('what is for nobody to see', () => {
  it('is dots while it is typed and nothing afterwards; no history, no completion and no cut text has to do with it', () => {
    let isHidden = true
    const { editor, type, seen } = testEditor({ history: ['hunter1', 'ls'], hides: () => isHidden })
    type(`hunt${UP}\x12`)
    expect(seen()).toBe('> ••••|')
    expect(editor.completable).toBeNull()
    expect(type('\t')).toEqual([])
    expect(editor.frame([{ text: '> ' }], 80, 24, true).rows).toEqual([[{ text: '> ' }]])
    type('\x15')
    editor.clear()
    isHidden = false
    type('\x19\x1f')
    expect(editor.text).toBe('')
  })
})

describe('a line for a program', () => {
  it('is indented by Tab at its beginning, and completed elsewhere; Ctrl-] asks to hand over the keys', () => {
    const { editor, type, seen } = testEditor({ indent: () => '\t' })
    expect(type('\t\tx')).toEqual([])
    expect(editor.text).toBe('\t\tx')
    expect(seen()).toBe('>         x|')
    expect(type('\t')).toEqual([{ kind: 'complete' }])
    expect(type('\x1d')).toEqual([{ kind: 'hand-over' }])
  })
})
