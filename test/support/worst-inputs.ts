/** The most that a command can be given, by the limits: files of the home, commands that come before, and the command. */
export interface WorstInput {
  readonly files?: Readonly<Record<string, string>>
  readonly before?: readonly string[]
  readonly command: string
}

const FENCE = '```'
const MIB = 1024 * 1024

const fill = (unit: string, length: number): string => unit.repeat(Math.max(1, Math.floor(length / unit.length)))

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('')

const each = (count: number, make: (index: number) => readonly [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)))

const include = (index: number): string => `[!include:i${index}](./i${index}.md)\n\n`
const script = (lines: readonly string[]): string => `${FENCE}act.run\nCLI ${lines.join('\n')}\n${FENCE}\n`

/** For each command of the table the inputs that cost it most. `scale` is 1 for the whole, and less for less of the same. */
export function worstInputs(scale = 1): Readonly<Record<string, readonly WorstInput[]>> {
  const size = (whole: number): number => Math.floor(whole * scale)
  const document = fill('- [a](b.md) *c*\n', size(9 * MIB))
  const part = fill('- a\n', size(250_000))
  const lines = fill('a\n', size(590_000))
  const long = `a\n${fill('x', size(9 * MIB))}\n`
  const menu = many(size(8_000), (index) => `- [@m${index} M](./x${index}.md)\n`)
  const menus = many(400, (index) => `[!nav:m${index}](./m${index % 100}.md)\n\n`)
  const screen = `head -c ${size(250_000)} < <(yes $'\\e[9999Gx')`
  const json = `[${fill('{"a":[]},', size(240_000))}1]`
  const edits = { 'lines.txt': lines, 'long.txt': long }
  const opened = { files: { 'large.md': document }, before: ['/open large.md'] }
  return {
    open: [
      { files: { 'large.md': document }, command: '/open large.md --full' },
      { files: { 'heads.md': fill('# a\n', size(2 * MIB)) }, command: '/open heads.md' },
      { files: { 'heads.md': fill('# a\n', size(2 * MIB)) }, command: '/open heads.md --outline' },
      { files: { 'lines.txt': lines }, command: '/open lines.txt --outline' },
      { files: { 'ends.md': fill('\n', size(10 * MIB)) }, command: '/open ends.md' },
      { files: { 'ends.txt': fill('\n', size(10 * MIB)) }, command: '/open ends.txt --outline' },
      { files: { 'front.md': `---\n${fill('a: b\n', size(60_000))}---\n` }, command: '/open front.md' },
      {
        files: { 'table.md': `${fill('|a', 360)}|\n${fill('|-', 360)}|\n${fill('|\n', size(60_000))}` },
        command: '/open table.md',
      },
      {
        files: { 'all.md': many(24, include), ...each(24, (index) => [`i${index}.md`, part]) },
        command: '/open all.md',
      },
      {
        files: { 'menus.md': many(8, (index) => `[!nav:m${index}](./menu.md)\n\n`), 'menu.md': menu },
        before: ['/open menus.md'],
        command: '/open @unknown',
      },
      { files: { 'long.txt': long }, command: '/open long.txt --source --full' },
    ],
    back: [{ ...opened, before: ['/open large.md', '/open .'], command: '/back' }],
    refresh: [{ ...opened, command: '/refresh' }],
    nav: [
      {
        files: { 'menus.md': menus, ...each(100, (index) => [`m${index}.md`, fill('- [@a b](c)\n', size(20_000))]) },
        before: ['/open menus.md'],
        command: '/nav --resolve',
      },
    ],
    find: [
      { files: edits, command: '/find a --context 20' },
      { files: edits, command: "/find '^(?!b).*a' --regex" },
      {
        files: each(size(4_000), (index) => [`d${index}/${'x'.repeat(200)}.md`, 'needle\n']),
        command: '/find needle --files',
      },
    ],
    edit: [
      { files: edits, command: '/edit lines.txt' },
      { files: edits, command: `/edit lines.txt\n${fill('b\n', size(590_000))}` },
      { files: { 'ends.txt': fill('\n', size(5 * MIB)) }, command: '/edit ends.txt:L1\nx' },
    ],
    write: [
      { files: edits, command: `/write lines.txt\n${fill('b\na\n', size(590_000))}` },
      { command: `/write new.txt\n${fill('\n', size(4 * MIB))}` },
      { files: { 'mixed.txt': `X\r\n${lines}U\n` }, command: `/write mixed.txt\nY\n${lines}V` },
    ],
    append: [{ files: edits, command: `/append long.txt\n${fill('x', size(MIB / 2))}` }],
    replace: [
      { files: edits, command: '/replace lines.txt --all\na\n---\nb' },
      { files: edits, command: `/replace lines.txt --all\na\n---\n${fill('b', size(100_000))}` },
      { files: { 'same.txt': fill('a', size(9 * MIB)) }, command: '/replace same.txt --all\na\n---\nb' },
    ],
    undo: [{ files: edits, before: ['/replace lines.txt:L1\nx'], command: '/undo' }],
    verify: [
      { files: { 'block.md': `<!-- #a -->\n${fill('- a\n', size(MIB))}<!-- /a -->\n` }, command: '/verify block.md#a' },
    ],
    act: [
      { files: { 'act.md': script([screen]) }, before: ['/open act.md'], command: '/act.run' },
      {
        files: {
          'data.json': json,
          'act.md': `${script(['cat data.json'])}${FENCE}act.run.response\nfor: a in {Response.body}\nfor: b in {Response.body}\n{a}{b}\nend:\nend:\n${FENCE}\n`,
        },
        before: ['/open act.md'],
        command: '/act.run',
      },
      {
        files: {
          'act.md': `${script(['echo'])}${FENCE}act.run.response\nfor: a in${fill(' ', size(30_000))}{x{\n${FENCE}\n`,
        },
        before: ['/open act.md'],
        command: '/act.run',
      },
      {
        files: { 'act.md': script([`echo ${fill('{', size(30_000))}`]) },
        before: ['/open act.md'],
        command: '/act.run',
      },
    ],
    exec: [{ command: `/exec\n${screen}` }, { command: `/exec\nhead -c ${size(100 * MIB)} /dev/zero` }],
    set: [
      { command: `/set\n${fill('{a} = "1"\n', size(5 * MIB))}` },
      { command: `/set\n${fill('\n', size(4 * MIB))}` },
      { command: `/set ${fill('{', size(60_000))}` },
    ],
    unset: [{ command: `/unset ${fill('{a} ', size(60_000))}` }],
    events: [{ command: '/events --all' }],
    'events.read': [{ command: `/events.read ${fill('e', size(60_000))}` }],
    'events.ack': [{ command: `/events.ack ${fill('e ', size(60_000))}` }],
    'events.wait': [{ command: '/events.wait 1' }],
    'events.retry': [{ command: `/events.retry ${'x'.repeat(100_000)}` }],
    'events.clear': [{ command: '/events.clear' }],
    tool: [{ files: { 'tools/t.md': fill(script(['echo']).replace('run', 'a'), size(MIB)) }, command: '/tool:t' }],
    install: [
      {
        files: {
          'pkg/string.md': '---\nname: pkg\ntype: app\n---\n# Pkg\n',
          ...each(size(900), (index) => [`pkg/p${index}.md`, fill('- [a](b.md)\n', 16_000)]),
        },
        command: '/install ./pkg',
      },
    ],
    uninstall: [{ command: `/uninstall ${fill('p', 200)}` }],
    ls: [{ files: each(size(20_000), (index) => [`many/f${index}`, '']), command: '/ls many' }],
    info: [{ ...opened, command: '/info' }],
    topics: [{ command: '/topics' }],
    close: [{ ...opened, command: '/close' }],
    help: [{ command: `/help ${fill('a', size(60_000))}` }],
  }
}
