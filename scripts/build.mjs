// Builds everything that is installed: type declarations, the libraries and the programs.
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'packages/stringd/package.json'), 'utf8'))

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  conditions: ['source'],
  define: { STRING_VERSION: JSON.stringify(version) },
  // Native code is installed, not bundled; that of `pg` is never asked for.
  external: ['libsql', 'pg-native'],
  logLevel: 'warning',
  legalComments: 'eof',
  // dist-dir.ts asks for import.meta only where the build put nothing in.
  logOverride: { 'empty-import-meta': 'silent' },
}

/** What is large and most runs of a program do without: its import() leads to a file of its own. */
const APART = [
  { source: '/mcp/index.ts', out: './mcp.cjs' },
  { source: '/bridge-verbs.ts', out: './cli-bridge.cjs' },
  { source: '/store-verbs.ts', out: './cli-store.cjs' },
  { source: '/doctor-verbs.ts', out: './cli-doctor.cjs' },
  { source: '/app-verbs.ts', out: './cli-app.cjs' },
  { source: '/terminal-tools.ts', out: './cli-terminal.cjs' },
  { source: '/mcp-write.ts', out: './cli-mcp-write.cjs' },
  { source: '/mailer.ts', out: './mailer.cjs' },
  { source: '/store/postgres/index.ts', out: './store-postgres.cjs' },
  { source: '/web/undici.ts', out: './undici.cjs' },
]

const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      const whole = join(resolveDir, path)
      const found = kind === 'dynamic-import' && APART.find(({ source }) => whole.endsWith(source))
      return found ? { path: found.out, external: true } : undefined
    })
  },
}

for (const name of ['protocol', 'client', 'bridge', 'stringd']) {
  rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
  rmSync(join(root, 'packages', name, 'tsconfig.tsbuildinfo'), { force: true })
}

await Promise.all([
  library('protocol'),
  library('client'),
  library('client', 'browser', 'browser'),
  library('client', 'start'),
  library('bridge'),
  library('bridge', 'reap'),
  library('stringd'),
  program('cli/main.ts', 'cli.cjs'),
  program('cli/bridge-verbs.ts', 'cli-bridge.cjs'),
  program('cli/store-verbs.ts', 'cli-store.cjs'),
  program('cli/doctor-verbs.ts', 'cli-doctor.cjs'),
  program('cli/app-verbs.ts', 'cli-app.cjs'),
  program('cli/terminal-tools.ts', 'cli-terminal.cjs'),
  program('cli/mcp/mcp-write.ts', 'cli-mcp-write.cjs'),
  program('main.ts', 'daemon.cjs'),
  program('stringd.ts', 'stringd.cjs'),
  program('library/parse-worker.ts', 'parse-worker.cjs'),
  program('peers/look-worker.ts', 'look-worker.cjs'),
  program('search/search-worker.ts', 'search-worker.cjs'),
  program('mcp/index.ts', 'mcp.cjs'),
  program('channels/mailer.ts', 'mailer.cjs'),
  program('store/postgres/index.ts', 'store-postgres.cjs'),
  program('web/undici.ts', 'undici.cjs'),
  page(),
])
cpSync(join(root, 'packages/page/src/index.html'), join(root, 'packages/stringd/dist/page/index.html'))

const dist = join(root, 'packages/stringd/dist')
const makeCache = [join(root, 'scripts/code-cache.mjs'), join(dist, 'daemon.cjs'), join(dist, 'daemon.cache')]
execFileSync(process.execPath, makeCache, { stdio: ['ignore', 'ignore', 'inherit'] })

const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
execFileSync(process.execPath, [tsc, '-b', 'packages/stringd'], { cwd: root, stdio: 'inherit' })
inlineProtocolTypes('client')
inlineProtocolTypes('bridge')

function library(name, entry = 'index', platform = 'node') {
  const define = { ...common.define, DIST_DIR: 'import.meta.dirname' }
  return build({
    ...common,
    define,
    platform,
    format: 'esm',
    // Installed with the bridge, and the client beside its other entry; the daemon and the programs carry both inside.
    external: { bridge: ['yaml'], client: ['@string-os/client'] }[name] ?? [],
    entryPoints: [`packages/${name}/src/${entry}.ts`],
    outfile: `packages/${name}/dist/${entry}.js`,
  })
}

/** CommonJS starts faster than ESM. An import() inside stays lazy: its module runs only when it is reached. */
function program(entry, out) {
  const define = { ...common.define, DIST_DIR: '__dirname' }
  return build({
    ...common,
    define,
    format: 'cjs',
    minify: true,
    // An import() becomes a require: code that V8 has compiled before knows no import().
    supported: { 'dynamic-import': false },
    entryPoints: [`packages/stringd/src/${entry}`],
    outfile: `packages/stringd/dist/${out}`,
    plugins: [apart],
  })
}

/** What the daemon serves to browsers: one script and one style sheet beside the file that names them. */
function page() {
  return build({
    ...common,
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17.4'],
    format: 'esm',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: ['packages/page/src/page.tsx', 'packages/page/src/page.css'],
    outdir: 'packages/stringd/dist/page',
  })
}

/** The protocol is inlined in the client's code; its declarations go along, so that nothing is left to install. */
function inlineProtocolTypes(name) {
  const dist = join(root, 'packages', name, 'dist')
  cpSync(join(root, 'packages/protocol/dist'), join(dist, 'protocol'), {
    recursive: true,
    filter: (path) => !path.endsWith('.js'),
  })
  for (const file of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
    const path = join(dist, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll("'@string-os/protocol'", "'./protocol/index.js'"))
  }
}
