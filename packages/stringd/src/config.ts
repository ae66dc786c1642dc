import { homedir, hostname, userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { DEFAULT_AGENT, isPager, LIMITS, PAGER_NAMES, type Pagers } from '@string-os/protocol'
import { parseStoreName, type StoreName } from './store/store-name.ts'

export interface Config {
  /** `~/.string`, or what `STRING_HOME` names. */
  readonly stringHome: string
  readonly dataDir: string
  /** What `STRING_PORT` says; null when it says nothing. */
  readonly port: number | null
  readonly agent: string
  /** Whether colours are wanted at a terminal at all; who writes asks `lookOf` whether there is one. */
  readonly color: boolean
  /** Whether what only helps who is new to the prompt is said there, too. */
  readonly hints: boolean
  /** Whether a daemon may be started where none runs. */
  readonly mayStart: boolean
  readonly debug: boolean
  /** The limit of `/exec`; null when the environment says nothing. */
  readonly execMs: number | null
  /** Users whose programs are served beside our own. */
  readonly allowUids: readonly number[]
  /** Origins of pages on this machine that may drive the daemon from another port. */
  readonly allowOrigins: readonly string[]
  /** Where everything durable is kept; a file in the data folder when nothing is said. */
  readonly store: StoreName
  /** How this machine is called among those that share a store. */
  readonly node: string
  /** Turns that it runs at once when it takes those that any node may run. */
  readonly maxTurns: number
}

/** The environment holds something that cannot be used; the message is for the person who set it. */
export class ConfigError extends Error {}

/** Where this user is at home. Where `HOME` is empty or a folder of wherever we are, what the system knows holds. */
export function homeFolder(): string {
  const named = homedir()
  return isAbsolute(named) ? named : userInfo().homedir
}

/** Reads the environment, once. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const stringHome = resolve(env.STRING_HOME || join(homeFolder(), '.string'))
  const dataDir = resolve(env.STRING_DATA_DIR || join(stringHome, 'daemon'))
  return {
    stringHome,
    dataDir,
    store: readStore(env.STRING_STORE, dataDir),
    port: env.STRING_PORT ? parsePort(env.STRING_PORT, 'STRING_PORT') : null,
    agent: env.STRING_AGENT || DEFAULT_AGENT,
    node: readNode(env.STRING_NODE),
    maxTurns: readMaxTurns(env.STRING_MAX_TURNS),
    color: !env.NO_COLOR && !isDumbTerminal(env),
    hints: env.STRING_HINTS !== '0',
    mayStart: true,
    debug: Boolean(env.STRING_DEBUG),
    execMs: readMilliseconds(env.STRING_EXEC_TIMEOUT_MS, 'STRING_EXEC_TIMEOUT_MS'),
    allowUids: readList(env.STRING_ALLOW_UIDS, parseUid),
    allowOrigins: readList(env.STRING_ALLOW_ORIGINS, parseLocalOrigin),
  }
}

function readStore(text: string | undefined, dataDir: string): StoreName {
  const own: StoreName = { kind: 'sqlite', folder: dataDir }
  if (text === undefined || text === '') return own
  const name = parseStoreName(text)
  if (!name.ok) throw new ConfigError(`STRING_STORE cannot be used: ${name.error}`)
  if (name.value.kind === 'sqlite' && name.value.folder !== dataDir)
    throw new ConfigError(
      `STRING_STORE names another folder than the data folder ${dataDir}: STRING_DATA_DIR moves both`,
    )
  return name.value
}

function readNode(text: string | undefined): string {
  if (text === undefined || text === '') return hostname().replace(/[^A-Za-z0-9._-]+/g, '-') || 'node'
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text)) return text
  throw new ConfigError(`STRING_NODE takes up to 63 letters, digits, ".", "_" and "-", not ${JSON.stringify(text)}`)
}

function readMaxTurns(text: string | undefined): number {
  if (text === undefined || text === '') return LIMITS.maxTurns
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new ConfigError(`STRING_MAX_TURNS must be a number from 1 to 9999, not ${JSON.stringify(text)}`)
}

/** A port number; `0` lets the system choose one. */
export function parsePort(text: string, name: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new ConfigError(`${name} must be a number from 0 to 65535, not ${JSON.stringify(text)}`)
}

/** What shells get of the environment in which the daemon was started: not where it keeps things, which may hold a password. */
export function ownEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const { STRING_STORE: _, ...rest } = env
  return Object.fromEntries(Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Whether a terminal can move its cursor: an editor in another program often cannot. */
export function isDumbTerminal(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.TERM === 'dumb'
}

/** Which pagers whoever sits here has chosen; of one that cannot be told to a shell, the program's own holds. */
export function ownPagers(env: NodeJS.ProcessEnv = process.env): Pagers {
  return Object.fromEntries(PAGER_NAMES.map((name) => [name, env[name]] as const).filter(([, value]) => isPager(value)))
}

/** In which program whoever sits here changes texts. */
export function ownEditor(env: NodeJS.ProcessEnv = process.env): string {
  return env.VISUAL || env.EDITOR || 'vi'
}

/** Whether somebody sits before a screen on which windows open. */
export function hasDesktop(env: NodeJS.ProcessEnv = process.env): boolean {
  return process.platform === 'darwin' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
}

/** Terminals that are known to take links; in any other their marks could be seen as text. */
export function knowsLinks(env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.TMUX !== undefined || env.STY !== undefined || env.TERM === 'dumb' || env.TERM === 'linux') return false
  const isNamed = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'rio'].includes(env.TERM_PROGRAM ?? '')
  const isMarked = [env.KITTY_WINDOW_ID, env.WT_SESSION, env.KONSOLE_VERSION, env.ALACRITTY_WINDOW_ID].some(Boolean)
  return isNamed || isMarked || Number(env.VTE_VERSION ?? 0) >= 5_000
}

function readMilliseconds(text: string | undefined, name: string): number | null {
  if (text === undefined || text === '') return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new ConfigError(`${name} must be a number of milliseconds, not ${JSON.stringify(text)}`)
}

/**
 * The variables by which a program that is started with another environment reaches the same daemon: those that say
 * something else than would hold without them.
 */
export function ownVariables({ stringHome, dataDir, port }: Config): Record<string, string> {
  return {
    ...(stringHome === join(homeFolder(), '.string') ? {} : { STRING_HOME: stringHome }),
    ...(dataDir === join(stringHome, 'daemon') ? {} : { STRING_DATA_DIR: dataDir }),
    ...(port === null ? {} : { STRING_PORT: String(port) }),
  }
}

function readList<T>(text: string | undefined, parse: (item: string) => T): readonly T[] {
  const items = (text ?? '').split(',').map((item) => item.trim())
  return items.filter((item) => item !== '').map(parse)
}

function parseUid(text: string): number {
  const uid = Number(text)
  if (/^\d{1,10}$/.test(text) && uid < 2 ** 32 - 1) return uid
  throw new ConfigError(
    `STRING_ALLOW_UIDS takes numbers of users with commas between them, not ${JSON.stringify(text)}`,
  )
}

const LOCAL_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** As a browser sends it; one of another machine is never served. */
function parseLocalOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isLocal = url !== null && /^https?:$/.test(url.protocol) && LOCAL_NAMES.includes(url.hostname)
  if (isLocal && /^https?:\/\/[^/?#@]+$/i.test(text)) return url.origin
  throw new ConfigError(
    `STRING_ALLOW_ORIGINS takes origins of this machine, such as http://localhost:5173, not ${JSON.stringify(text)}`,
  )
}

/** Where programs of this user are configured. */
export function configFolder(env: NodeJS.ProcessEnv = process.env): string {
  const named = env.XDG_CONFIG_HOME ?? ''
  return isAbsolute(named) ? named : join(homeFolder(), '.config')
}

/** Where an agent lives that was registered without a home. */
export function defaultHome(stringHome: string, agentId: string): string {
  return join(stringHome, 'agents', agentId)
}

/** The environment for a daemon that is started from here: a mark of the shell or turn we run in must not pass on. */
export function daemonEnvironment(config: Config, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { STRING_OWNER: _, ...rest } = env
  return { ...rest, STRING_HOME: config.stringHome, STRING_DATA_DIR: config.dataDir }
}

export const DEFAULT_PORT = LIMITS.defaultPort

/** A variable that String reads, and what holds because of it. */
export interface Setting {
  readonly name: string
  /** What holds; null: nothing. A password is left out. */
  readonly value: string | null
  readonly from: 'environment' | 'default'
  /** Whether a daemon heeds it when it starts, and not the command line alone. */
  readonly isForDaemon: boolean
}

/** Every variable that String reads; those `forDaemon` are heeded when a daemon starts. */
export const VARIABLES = [
  { name: 'STRING_HOME', forDaemon: true, about: 'where everything lives; ~/.string when nothing is said' },
  { name: 'STRING_DATA_DIR', forDaemon: true, about: 'the data folder; daemon in STRING_HOME when nothing is said' },
  { name: 'STRING_PORT', forDaemon: false, about: 'the port of the daemon; 0 lets the system choose one' },
  { name: 'STRING_AGENT', forDaemon: false, about: 'the agent to speak for' },
  {
    name: 'STRING_STORE',
    forDaemon: true,
    about: 'where everything durable is kept: sqlite:FOLDER or postgres://USER@HOST/DATABASE',
  },
  {
    name: 'STRING_NODE',
    forDaemon: true,
    about: 'its name among daemons that share a store; that of the machine when nothing is said',
  },
  {
    name: 'STRING_MAX_TURNS',
    forDaemon: true,
    about: 'how many turns it runs while it takes more that any node may run',
  },
  { name: 'STRING_EXEC_TIMEOUT_MS', forDaemon: true, about: 'how long a command of /exec may run' },
  {
    name: 'STRING_ALLOW_UIDS',
    forDaemon: true,
    about: 'users whose programs are served beside your own, with commas between them',
  },
  {
    name: 'STRING_ALLOW_ORIGINS',
    forDaemon: true,
    about: 'origins of pages on this machine that may drive the daemon',
  },
  { name: 'STRING_DEBUG', forDaemon: true, about: 'set: the daemon writes down more' },
  {
    name: 'STRING_HINTS',
    forDaemon: false,
    about: '0: a person is not told what only helps who is new here',
  },
  { name: 'NO_COLOR', forDaemon: false, about: 'set: no colours' },
] as const

type VariableName = (typeof VARIABLES)[number]['name']

/** What holds, and who says so. */
export function settings(config: Config, env: NodeJS.ProcessEnv = process.env): Setting[] {
  const values: Readonly<Record<VariableName, string>> = {
    STRING_HOME: config.stringHome,
    STRING_DATA_DIR: config.dataDir,
    STRING_PORT: env.STRING_PORT || String(DEFAULT_PORT),
    STRING_AGENT: env.STRING_AGENT || DEFAULT_AGENT,
    STRING_STORE: shownStoreName(config.store),
    STRING_NODE: config.node,
    STRING_MAX_TURNS: String(config.maxTurns),
    STRING_EXEC_TIMEOUT_MS: String(config.execMs ?? LIMITS.execMs),
    STRING_ALLOW_UIDS: config.allowUids.join(','),
    STRING_ALLOW_ORIGINS: config.allowOrigins.join(','),
    STRING_DEBUG: env.STRING_DEBUG ?? '',
    STRING_HINTS: config.hints ? '1' : '0',
    NO_COLOR: env.NO_COLOR ?? '',
  }
  return VARIABLES.map(({ name, forDaemon }) => ({
    name,
    value: values[name] || null,
    from: env[name] ? 'environment' : 'default',
    isForDaemon: forDaemon,
  }))
}

function shownStoreName(store: StoreName): string {
  if (store.kind === 'sqlite') return `sqlite:${store.folder}`
  if (!URL.canParse(store.url)) return 'postgres'
  const { username, host, pathname } = new URL(store.url)
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** Set by String for what it starts; nobody who sets them is heeded. */
const GIVEN = /^STRING_(?:OWNER|CWD|PACKAGE|VALUE|VAR)(?:_|$)/

/** Variables that look like ours and are none. */
export function unknownVariables(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(env).filter(
    (name) => name.startsWith('STRING_') && !GIVEN.test(name) && !VARIABLES.some((variable) => variable.name === name),
  )
}

/** A variable as it was set here; empty when it was not. */
export function ownVariable(name: string, env: NodeJS.ProcessEnv = process.env): string {
  return env[name] ?? ''
}

/** What a service hands to the daemon that it starts: what is set of that, and where programs are found. */
export function serviceVariables(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const known = VARIABLES.filter(({ name, forDaemon }) => forDaemon || name === 'STRING_PORT').map(({ name }) => name)
  return Object.fromEntries([...known, 'PATH', 'LANG'].flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
