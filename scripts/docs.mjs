// Writes the reference pages that come from tables in the code. With --check it only says whether they are up to date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const check = process.argv.includes('--check')
/** What a table would load is not needed to read the table. */
const lazy = {
  name: 'lazy',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}
const tables = await loadTables()
const { COMMANDS, TOPIC_KINDS, usage, ERROR_CODES, LIMITS, MCP_CLIENTS, configText, PROFILE_KEYS } = tables
const { version } = JSON.parse(read('packages/stringd/package.json'))

const pages = {
  'docs/reference/commands.md': commandsPage(),
  'docs/reference/codes.md': codesPage(),
  'docs/errors.md': tables.errorsPage(),
  'docs/client.md': withParts('docs/client.md', { errors: tables.clientErrorTable() }),
  'docs/reference/results.md': resultsPage(),
  'examples/python/string_daemon.py': withTypes('examples/python/string_daemon.py'),
  'docs/reference/limits.md': limitsPage(),
  'docs/reference/profile.md': profilePage(),
  'docs/reference/http.md': tables.httpPage(),
  'docs/openapi.json': `${JSON.stringify(tables.openApi(version, LIMITS.defaultPort), null, 1)}\n`,
  'packages/stringd/man/string.1': tables.manPage(tables.VERBS, version),
  'packages/stringd/man/strg.1': '.so man1/string.1\n',
  ...Object.fromEntries(MCP_CLIENTS.map((client) => [`docs/mcp/${client.id}.md`, mcpPage(client)])),
}

const stale = Object.entries(pages).filter(([path, text]) => read(path) !== text)
for (const [path, text] of check ? [] : stale) {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}
for (const [path] of stale) console.log(`${check ? 'stale' : 'wrote'}: ${path}`)
if (check && stale.length > 0) {
  console.log('npm run docs writes them')
  process.exitCode = 1
}

async function loadTables() {
  const contents = `
    export { COMMANDS } from './packages/stringd/src/command/table.ts'
    export { TOPIC_KINDS } from './packages/stringd/src/command/topic-kinds.ts'
    export { usage } from './packages/stringd/src/command/core/command.ts'
    export { VERBS } from './packages/stringd/src/cli/verbs.ts'
    export { manPage } from './packages/stringd/src/cli/man-page.ts'
    export { MCP_CLIENTS, configText } from './packages/stringd/src/cli/mcp/mcp-clients.ts'
    export { errorsPage, clientErrorTable } from './scripts/errors/errors-page.ts'
    export { httpPage } from './scripts/api/http-page.ts'
    export { clientResultTable } from './scripts/api/client-results.ts'
    export { pythonTypes } from './scripts/api/python-types.ts'
    export { openApi } from './scripts/api/openapi.ts'
    export { ERROR_CODES, LIMITS } from '@string-os/protocol'
    export { PROFILE_KEYS } from '@string-os/bridge'`
  const outfile = join(root, 'node_modules/.cache/string-tables.mjs')
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    outfile,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    plugins: [lazy],
  })
  return import(pathToFileURL(outfile).href)
}

function commandsPage() {
  const own = TOPIC_KINDS.bash.commands
  const rows = COMMANDS.map(({ name, summary }) => `| [\`/${name}\`](#${anchor(name)}) | ${summary} |`)
  return [
    '# Commands',
    '<!-- Written by npm run docs from the command table. -->',
    'A command is one line, and for some a body on the lines below it. `[…]` may be left out. `/help COMMAND` prints what stands here. In a topic',
    '`bash:NAME`, where a line is shell input, commands have [two slashes](#in-a-bash-topic). What an answer looks like: [concepts.md](../concepts.md#an-answer).',
    ['| command | |', '|---|---|', ...rows].join('\n'),
    ...COMMANDS.map((command) => commandText(command, '/', '##')),
    '## In a bash topic',
    'Every line is input for the shell, or for the program that runs in it. These commands are its own; all others take two slashes there, too.',
    ...own.map((command) => commandText(command, '//', '###')),
  ]
    .join('\n\n')
    .replace('In a topic\n\n', 'In a topic\n')
    .concat('\n')
}

function commandText(command, mark, level) {
  const { name, summary, aliases = [], flags, details, examples } = command
  const kinds = { string: ' TEXT', number: ' N', boolean: '' }
  const options = Object.entries(flags).map(
    ([flag, { type, short, summary: does }]) =>
      `- \`--${flag}${kinds[type]}\`${short ? `, \`-${short}${kinds[type]}\`` : ''}: ${does}`,
  )
  const others = aliases.map((alias) => `\`${mark}${alias}\``)
  return [
    `${level} ${mark}${name}`,
    `\`${mark.slice(1)}${usage(command)}\``,
    `${summary}.`,
    ...(details.length > 0 ? [details.join('\n')] : []),
    ...(others.length > 0 ? [`Also: ${others.join(', ')}.`] : []),
    ...(options.length > 0 ? [options.join('\n')] : []),
    // What follows a body is another example.
    ...(examples.length > 0
      ? [['```', examples.join('\n').replace(/^([^/].*)\n\//gm, '$1\n\n/'), '```'].join('\n')]
      : []),
  ].join('\n\n')
}

function anchor(name) {
  return name.replaceAll('.', '')
}

function codesPage() {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, meaning]) => `| [\`${code}\`](../errors.md#${code.toLowerCase()}) | ${meaning} |`,
  )
  const all = [
    ...rows,
    '| [`EXIT_<n>`](../errors.md#exit_n) | A shell command ended with status n; its output is the content |',
  ]
  const intro = 'The cause of each and what to do about it: [errors.md](../errors.md).'
  return `# Error codes\n\n<!-- Written by npm run docs from the code table. -->\n\n${intro}\n\n| code | what it tells |\n|---|---|\n${all.join('\n')}\n`
}

function resultsPage() {
  return `# What the clients give

<!-- Written by npm run docs from the table of shapes. -->

What the calls of [Node](../client.md) and [Python](../python.md) give, field by field. Names are those of the wire. A \`?\` behind one: it may be missing. Times are texts in UTC, \`2026-03-19T05:30:00.000Z\`.

${tables.clientResultTable()}
`
}

/** What its calls give stands at the end of the Python client, behind a comment. */
function withTypes(path) {
  const [own, types] = read(path).split(/^(# Types: written by npm run docs\.\n)/m)
  return `${own}${types}\n\n${tables.pythonTypes()}\n`
}

function limitsPage() {
  const rows = Object.entries(LIMITS).map(([name, value]) => `| \`${name}\` | ${value} |`)
  return `# Limits\n\n<!-- Written by npm run docs from the limits table. -->\n\n| limit | value |\n|---|---|\n${rows.join('\n')}\n`
}

function mcpPage(client) {
  const { id, name, file, language, path, notes } = client
  const folder = '/usr/local/lib/node_modules/@string-os/string'
  const machine = {
    node: '/usr/local/bin/node',
    script: `${folder}/bin/string.cjs`,
    isOnPath: true,
    port: LIMITS.defaultPort,
    agent: 'default',
    env: {},
  }
  return [
    `# String in ${name}`,
    '',
    '<!-- Written by npm run docs from the table of MCP clients. -->',
    '',
    '1. In a clone of this repository `npm install -g ./packages/stringd` ([other ways](../install.md))',
    `2. Put this into ${file}; \`string mcp-config ${id}\` prints it for your machine${path === null ? ':' : ','}`,
    ...(path === null ? [] : [`   and \`string mcp-config ${id} --write\` writes it there after it has asked you:`]),
    '',
    `\`\`\`${language}`,
    configText(client, machine),
    '```',
    '',
    ...notes.flatMap((note) => [note, '']),
    'The agent gets one tool, `string`, with a `topic` and a `cmd`; `/help` and `/info` teach it the rest. To speak for',
    'another agent than `default`, add `--agent ID` to `string mcp-config`; it has to exist, or `--create` makes it. Where `string` is not on your PATH, or',
    '`STRING_PORT`, `STRING_HOME` or `STRING_DATA_DIR` is set, it prints the paths and variables that are needed. What was',
    'tried with the real programs: [README.md](README.md). Normative: [spec/mcp.md](../../spec/mcp.md).',
    '',
  ].join('\n')
}

function profilePage() {
  const kinds = {
    words: 'text or list',
    texts: 'list',
    variables: 'map',
    line: 'text of one line',
    timeout: 'seconds',
    count: 'whole number',
  }
  const rows = Object.entries(PROFILE_KEYS).map(([key, { kind, fallback, about, isForDaemon }]) => {
    const holds = Array.isArray(kind) ? kind.map((word) => `\`${word}\``).join(' or ') : (kinds[kind] ?? kind)
    const preset = fallback === undefined ? 'required' : fallback === null ? '' : `\`${JSON.stringify(fallback)}\``
    return `| \`${key}\` | ${holds} | ${preset} | ${about}${isForDaemon ? ' (only in the daemon)' : ''} |`
  })
  const head = '| key | holds | default | what it does |\n|---|---|---|---|'
  return `# Keys of a profile\n\n<!-- Written by npm run docs from the table of keys. -->\n\n${head}\n${rows.join('\n')}\n`
}

/** A page that is written by hand, with parts that are not: each between `<!-- NAME: … -->` and `<!-- /NAME -->`. */
function withParts(path, parts) {
  let text = read(path)
  for (const [name, part] of Object.entries(parts)) {
    const marked = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n\\n)[\\s\\S]*?(\\n\\n<!-- /${name} -->)`)
    if (!marked.test(text)) throw new Error(`${path} has no part ${name}`)
    text = text.replace(marked, (_, begin, end) => `${begin}${part}${end}`)
  }
  return text
}

function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return null
  }
}
