// Who may import whom. The tables are the rule; everything below them is generated from them.
// An entry is a folder of packages/stringd/src, a file of it ('config.ts'), or a package ('@client', '@bridge/reap').

/** The command line keeps two files of its own in the data folder, as carefully as the daemon keeps its. */
const ownFiles = ['atomic-file.ts', 'kernel-lock.ts', 'odd-file.ts', 'private-dir.ts'].map((name) => `store/${name}`)

/** `string store` looks at a store and copies it while no daemon runs, so there is nobody to ask. */
const storeFiles = [
  'archive.ts',
  'copy-store.ts',
  'finding.ts',
  'open-store.ts',
  'refused.ts',
  'store-name.ts',
  'sqlite/archive.ts',
  'sqlite/backup.ts',
  'sqlite/check.ts',
  'postgres/index.ts',
].map((name) => `store/${name}`)
const storeVerbs = ['cli/store/', 'cli/store-verbs\\.ts$']

/** `string app` looks at a package as an installation does, with or without a daemon. */
const appFiles = ['packages/check', 'packages/source', 'packages/archive', 'library/parser.ts']
const appVerbs = ['cli/app/', 'cli/app-verbs\\.ts$']

const layers = {
  document: [],
  queue: [],
  store: [],
  web: [],
  hub: [],
  mcp: [],
  // Of store only how folders are made.
  shell: ['@bridge/reap', 'store'],
  action: ['document', 'shell', 'web'],
  // Of action how one is declared, and what it may do: that is said before a package is installed, and held when it is used.
  // Of search only what git ignores.
  packages: ['document', 'store', 'web', 'action', 'files', 'library', 'search'],
  events: ['store'],
  files: ['store'],
  // The parser of large documents runs in a worker, which is a program of its own.
  // Of action only which blocks will be refused: that is said when their document is opened.
  library: ['document', 'web', 'files', 'action', 'dist-dir.ts'],
  // The thread that searches is a program of its own. Of library only how some wait for others.
  search: ['files', 'store', 'library', 'dist-dir.ts'],
  // Of action only what a value is.
  session: ['files', 'library', 'action'],
  reading: ['session', 'document', 'web', 'files', 'library', 'packages'],
  // Of action only what it asks of files.
  editing: ['session', 'reading', 'document', 'store', 'files', 'library', 'action'],
  // Of events, store and web only the shapes: a command gets its services in its context.
  command: [
    'session',
    'reading',
    'editing',
    'packages',
    'document',
    'action',
    'files',
    'library',
    'search',
    'shell',
    'events',
    'store',
    'web',
  ],
  // Of hub only the shape of its data.
  // Closing a topic ends what it started.
  // Of action and packages only the shapes: the services come from the composition root.
  runtime: [
    'command',
    'session',
    'reading',
    'editing',
    'queue',
    'store',
    'hub',
    'files',
    'library',
    'shell',
    'events',
    'action',
    'packages',
  ],
  watch: ['store'],
  fleet: ['store'],
  approvals: ['store'],
  channels: ['store', 'events'],
  chanflow: ['runtime', 'channels'],
  turns: ['@bridge', '@bridge/reap', 'runtime', 'chanflow', 'approvals', 'events', 'store'],
  // The thread that looks is a program of its own.
  peers: ['dist-dir.ts'],
  // What a daemon looks at itself, and the command line where there is none.
  doctor: ['channels', 'shell', 'store', 'turns', 'read-log.ts'],
  // Of the log only what may be asked of it.
  http: [
    'runtime',
    'chanflow',
    'turns',
    'approvals',
    'events',
    'fleet',
    'watch',
    'store',
    'mcp',
    'peers',
    'read-log.ts',
  ],
  // The command line never imports the daemon, but must know whom it talks to: daemon-record.ts is what both read.
  cli: [
    '@client',
    '@bridge',
    '@bridge/reap',
    'mcp',
    'config.ts',
    'daemon-record.ts',
    // A store is copied by whoever has its data folder, as a daemon has it.
    'data-folder.ts',
    'start-error.ts',
    'dist-dir.ts',
    'version.ts',
    'lost-reader.ts',
    // Where no daemon can be had, its log is read, and what it would look at is looked at from here.
    'read-log.ts',
    'doctor',
    ...ownFiles,
    ...storeFiles,
    ...appFiles,
  ],
  'log.ts': [],
  'read-log.ts': [],
  'config.ts': ['store/store-name.ts'],
  'daemon-record.ts': ['@bridge/reap', 'store/process-exists.ts'],
  'data-folder.ts': ['store', 'daemon-record.ts', 'start-error.ts'],
  'start-error.ts': [],
  'version.ts': [],
  'dist-dir.ts': [],
  'lost-reader.ts': [],
}

/** Every layer may import these; log.ts belongs to the daemon, so not the command line. */
const shared = (layer) => (layer === 'cli' ? ['@protocol'] : ['@protocol', 'log.ts'])

/** Composition root, entry and public face: they may import every layer. */
const roots = ['daemon.ts', 'daemon-parts.ts', 'daemon-stop.ts', 'main.ts', 'stringd.ts', 'index.ts']

/** The other packages: which packages, which node builtins (true: all of them) and which third-party code. */
const libraries = {
  protocol: { packages: [], builtins: [], installed: [] },
  client: { packages: ['@protocol'], builtins: ['http', 'fs', 'child_process'], installed: [] },
  bridge: { packages: ['@protocol'], builtins: true, installed: ['yaml'] },
  // It runs in a browser.
  page: {
    packages: ['@protocol', '@client/browser'],
    builtins: [],
    installed: ['preact', '@preact', 'markdown-it'],
  },
}

const pureLayers = { names: ['document', 'queue', 'command'], builtins: ['path'] }

/** The only sources that may start a process. */
const spawners = [
  '^packages/stringd/src/shell/',
  '^packages/stringd/src/cli/daemon/find-daemon\\.ts$',
  '^packages/stringd/src/cli/run-tool\\.ts$',
  '^packages/stringd/src/cli/topic/open-script\\.ts$',
  '^packages/stringd/src/cli/page/verb\\.ts$',
  '^packages/stringd/src/cli/terminal/editor/outside-editor\\.ts$',
  '^packages/stringd/src/library/parse-host\\.ts$',
  '^packages/bridge/src/run\\.ts$',
  '^packages/client/src/start\\.ts$',
]

const daemon = '^packages/stringd/src/'
const literal = (text) => text.replaceAll('.', '\\.')
const builtin = (name) => `^(node:)?${name}$`

function place(entry) {
  if (entry.startsWith('@')) {
    const [name, file = 'index'] = entry.slice(1).split('/')
    return `^packages/${name}/src/${file}\\.ts$`
  }
  return entry.endsWith('.ts') ? `${daemon}${literal(entry)}$` : `${daemon}${entry}/`
}

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

const layerRules = Object.entries(layers).map(([layer, allowed]) =>
  forbid(
    `layer-${layer.replace('.', '-')}`,
    `${layer} may import: ${[...allowed, ...shared(layer)].join(', ')}`,
    { path: place(layer) },
    // What npm installs below a package is nobody's layer.
    { path: '^packages/', pathNot: ['/node_modules/', ...[layer, ...allowed, ...shared(layer)].map(place)] },
  ),
)

const libraryRules = Object.entries(libraries).flatMap(([name, { packages, builtins, installed }]) => {
  const from = { path: `^packages/${name}/` }
  const others = { path: '^packages/', pathNot: [`^packages/${name}/src/`, ...packages.map(place)] }
  return [
    forbid(`package-${name}`, `${name} may import: ${packages.join(', ') || 'no other package'}`, from, others),
    forbid(`third-party-${name}`, `${name} may install: ${installed.join(', ') || 'nothing'}`, from, {
      path: '(^|/)node_modules/',
      pathNot: installed.map((each) => `(^|/)node_modules/${each}/`),
    }),
    ...(builtins === true ? [] : [builtinRule(name, from, builtins)]),
  ]
})

function builtinRule(name, from, builtins) {
  const comment = `${name} may import: ${builtins.map((each) => `node:${each}`).join(', ') || 'no node module'}`
  return forbid(`builtin-${name}`, comment, from, { dependencyTypes: ['core'], pathNot: builtins.map(builtin) })
}

const known = [...Object.keys(layers), ...roots].map(place)
const unlisted = { path: daemon, pathNot: known }

module.exports = {
  forbidden: [
    ...layerRules,
    ...libraryRules,
    ...pureLayers.names.map((name) => builtinRule(name, { path: place(name) }, pureLayers.builtins)),
    forbid('unlisted-from', 'this source is in no row of the table', unlisted, {}),
    forbid('unlisted-to', 'the imported source is in no row of the table', {}, unlisted),
    forbid(
      'no-client-in-daemon',
      'only cli uses the client',
      { path: daemon, pathNot: place('cli') },
      { path: '^packages/client/' },
    ),
    forbid(
      'store-verbs',
      'of the command line only cli/store touches stores: other verbs ask the daemon, and load no engine',
      { path: `${daemon}cli/`, pathNot: storeVerbs.map((path) => `${daemon}${path}`) },
      { path: [...storeFiles, 'data-folder.ts', 'start-error.ts'].map(place) },
    ),
    forbid(
      'app-verbs',
      'of the command line only cli/app looks at packages: other verbs load no parser',
      { path: `${daemon}cli/`, pathNot: appVerbs.map((path) => `${daemon}${path}`) },
      { path: appFiles.map(place) },
    ),
    forbid(
      'no-spawn',
      'child_process only in shell, cli/daemon/find-daemon.ts, cli/run-tool.ts, cli/topic/open-script.ts, cli/page/verb.ts, cli/terminal/editor/outside-editor.ts, library/parse-host.ts, bridge/src/run.ts and client/src/start.ts',
      { path: '^packages/', pathNot: spawners },
      { path: builtin('child_process') },
    ),
    forbid(
      'html-floors',
      'choosing and writing see only the tree that reading makes',
      { path: `${daemon}web/html/(read|choose|write)/` },
      { path: `${daemon}web/html/`, pathNot: [`${daemon}web/html/read/`, `${daemon}web/html/$1/`] },
    ),
    forbid(
      'shell-screen',
      'what is shown knows nothing of where it is kept, or of the shell',
      { path: `${daemon}shell/screen/` },
      { path: `${daemon}shell/(output|bash)/` },
    ),
    forbid(
      'shell-output',
      'what is kept knows nothing of the shell',
      { path: `${daemon}shell/output/` },
      { path: `${daemon}shell/bash/` },
    ),
    forbid('no-cycle', 'modules import in one direction', {}, { circular: true }),
    forbid('no-unresolved', 'an import that resolves to nothing escapes the table', {}, { couldNotResolve: true }),
  ],
  options: {
    parser: 'swc', // the default parser needs the TypeScript API: with TypeScript 7 it overlooks imports and passes
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/dist/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
