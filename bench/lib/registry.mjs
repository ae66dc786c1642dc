import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const INSTALL_MS = 120_000

/** What others have published: fixed versions, so that a figure means the same next time. */
export const PUBLIC = {
  /** The one that clients are most often set up with. */
  files: { name: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', entry: 'dist/index.js' },
  everything: { name: '@modelcontextprotocol/server-everything', version: 'latest', entry: 'dist/index.js' },
  memory: { name: '@modelcontextprotocol/server-memory', version: 'latest', entry: 'dist/index.js' },
  agentproc: { name: 'agentproc', version: 'latest', entry: 'src/runner.js' },
}

/** Installs a package for the row alone: where its program is, or why it cannot be had. */
export function fromRegistry(context, { name, version, entry }) {
  const folder = join(context.folder, 'registry', name.replaceAll('/', '-'))
  const { status, stderr, error } = spawnSync(
    'npm',
    ['install', '--loglevel', 'error', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${version}`],
    { encoding: 'utf8', timeout: INSTALL_MS },
  )
  if (status === 0) return { path: join(folder, 'node_modules', name, entry) }
  return { skipped: `${name} cannot be installed: ${error?.message ?? stderr.trim().split('\n').at(0)}` }
}
