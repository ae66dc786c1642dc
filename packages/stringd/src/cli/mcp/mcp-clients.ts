import { DEFAULT_AGENT } from '@string-os/protocol'
import { type ConfigValue, type Language, renderConfig } from '../config-file/render.ts'

/** What a configuration must know of the machine it is for. */
export interface Machine {
  /** The program that runs scripts, and our script, by their paths. */
  readonly node: string
  readonly script: string
  /** Whether `string` on the PATH is this program. */
  readonly isOnPath: boolean
  readonly port: number
  readonly agent: string
  /** Whether the agent is made where there is none. */
  readonly makesAgent: boolean
  /** What a client must hand on, since some start their servers with an environment of their own. */
  readonly env: Readonly<Record<string, string>>
}

/** Where a person keeps configuration. */
export interface Folders {
  readonly home: string
  readonly project: string
  /** `$XDG_CONFIG_HOME`, else `~/.config`. */
  readonly config: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

/** A program that speaks MCP, and what it has to be told. */
export interface McpClientRow {
  /** As `string mcp-config` takes it. */
  readonly id: string
  readonly name: string
  /** Where the entry goes, for a person. */
  readonly file: string
  /** The file that `--write` edits; null: there is none. */
  readonly path: ((folders: Folders) => string) | null
  readonly language: Language
  /** Where in the file the entry stands; nowhere: it is the whole file. */
  readonly at: readonly string[]
  readonly entry: (machine: Machine) => ConfigValue
  readonly notes: readonly string[]
}

/** The text that a client is to be given. */
export function configText({ language, at, entry }: McpClientRow, machine: Machine): string {
  return renderConfig(language, at, entry(machine))
}

const IN_MCP_SERVERS = ['mcpServers', 'string']

/** Every client that has a page. */
export const MCP_CLIENTS: readonly McpClientRow[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    file: '`.mcp.json` in the project folder',
    path: ({ project }) => `${project}/.mcp.json`,
    language: 'json',
    at: IN_MCP_SERVERS,
    entry: (machine) => ({ ...stdio(machine), alwaysLoad: true }),
    notes: [
      'For all projects: `claude mcp add --scope user string -- string --mcp`.',
      '`alwaysLoad` lets the first turn wait for the tool, and keeps it in sight where many tools are configured.',
      'Without a person to ask, `claude -p` denies the tool unless it is told not to: ' +
        '`claude -p --allowedTools mcp__string__string`.',
      'Events that reach the agent (`string webhook show`) are also sent as channel messages. While channels are a preview, ' +
        'Claude Code shows them when it is started with `claude --dangerously-load-development-channels server:string`.',
    ],
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    file: '`claude_desktop_config.json` (Settings, Developer, Edit Config)',
    path: ({ home, config, platform }) =>
      `${platform === 'darwin' ? `${home}/Library/Application Support` : config}/Claude/claude_desktop_config.json`,
    language: 'json',
    at: IN_MCP_SERVERS,
    entry: (machine) => stdio(byPath(machine)),
    notes: [
      'The paths are those of your machine: an app that was not started from a shell may not find `string` or `node`.',
      'It has no working directory of yours; add `"--cwd", "/some/folder"` to `args` to give `./` a meaning.',
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    file: '`~/.codex/config.toml`',
    path: ({ home, env }) => `${env.CODEX_HOME || `${home}/.codex`}/config.toml`,
    language: 'toml',
    at: ['mcp_servers', 'string'],
    entry: (machine) => {
      const { command, args, env } = stdio(machine)
      return { command, args, default_tools_approval_mode: 'approve', ...(env === undefined ? {} : { env }) }
    },
    notes: [
      '`default_tools_approval_mode = "approve"` lets the tool run without a question. Without the line Codex asks each ' +
        'time, and `codex exec`, where nobody can be asked, refuses every call.',
      "Know what it lets through: the daemon does the work, outside of Codex's sandbox and with your rights. With " +
        '`--sandbox read-only` the model can still write files and run commands through String. Leave the line out where ' +
        'the sandbox is what you rely on.',
      'A first turn does not wait for its servers, so on a slow start the tool can be missing in it. ' +
        '`codex exec -c mcp_servers.string.required=true` waits, and fails where String cannot be started.',
      'Codex starts its servers with an environment of its own, in which `STRING_PORT`, `STRING_HOME` and ' +
        '`STRING_DATA_DIR` are missing: where they are set, `string mcp-config codex` prints them as `env`.',
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    file: '`.cursor/mcp.json` in the project folder, or `~/.cursor/mcp.json`',
    path: ({ project }) => `${project}/.cursor/mcp.json`,
    language: 'json',
    at: IN_MCP_SERVERS,
    entry: (machine) => stdio(machine, '--cwd', WORKSPACE),
    notes: [],
  },
  {
    id: 'vscode',
    name: 'VS Code',
    file: '`.vscode/mcp.json` in the project folder',
    path: ({ project }) => `${project}/.vscode/mcp.json`,
    language: 'json',
    at: ['servers', 'string'],
    entry: (machine) => ({ type: 'stdio', ...stdio(machine, '--cwd', WORKSPACE) }),
    notes: ['The tool is there in agent mode.'],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    file: '`~/.gemini/settings.json`',
    path: ({ home }) => `${home}/.gemini/settings.json`,
    language: 'json',
    at: IN_MCP_SERVERS,
    entry: (machine) => ({ ...stdio(machine), trust: true }),
    notes: [
      '`"trust": true` lets the tool run without a question. Without it Gemini CLI asks each time, and headless ' +
        '(`gemini -p`) does not show the tool to the model at all. What String does, it does with your rights and outside ' +
        'of any sandbox of Gemini CLI.',
      'Headless it also refuses to run in a folder that you have not trusted: `gemini --skip-trust -p …`. In ' +
        '`.gemini/settings.json` of a project the entry counts only where the folder is trusted, which `--skip-trust` is not ' +
        'enough for: trust it once in `gemini` itself, or set `GEMINI_CLI_TRUST_WORKSPACE=true`.',
      'Gemini CLI does not tell its servers when you cancel a call: a command runs on until it ends, or until Gemini CLI does.',
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    file: '`~/.config/opencode/opencode.json`, or `opencode.json` in the project folder',
    path: ({ config }) => `${config}/opencode/opencode.json`,
    language: 'json',
    at: ['mcp', 'string'],
    entry: (machine) => {
      const { command, args, env } = stdio(machine)
      return { type: 'local', command: [command, ...args], ...(env === undefined ? {} : { environment: env }) }
    },
    notes: ['The model sees the tool as `string_string`. `opencode run` uses it without a question.'],
  },
  {
    id: 'zed',
    name: 'Zed',
    file: '`~/.config/zed/settings.json`',
    path: ({ config }) => `${config}/zed/settings.json`,
    language: 'json',
    at: ['context_servers', 'string'],
    entry: (machine) => stdio(machine),
    notes: ['The tool is there in the agent panel.'],
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    file: '`~/.codeium/windsurf/mcp_config.json`',
    path: ({ home }) => `${home}/.codeium/windsurf/mcp_config.json`,
    language: 'json',
    at: IN_MCP_SERVERS,
    entry: (machine) => stdio(byPath(machine)),
    notes: [
      'The paths are those of your machine: an app that was not started from a shell may not find `string` or `node`.',
      'The file serves all projects; add `"--cwd", "/some/folder"` to `args` to give `./` a meaning.',
    ],
  },
  {
    id: 'goose',
    name: 'Goose',
    file: '`~/.config/goose/config.yaml`',
    path: ({ config }) => `${config}/goose/config.yaml`,
    language: 'yaml',
    at: ['extensions', 'string'],
    entry: (machine) => {
      const { command, args, env = {} } = stdio(machine)
      return { name: 'string', type: 'stdio', enabled: true, cmd: command, args, envs: env, timeout: 300 }
    },
    notes: [],
  },
  {
    id: 'continue',
    name: 'Continue',
    file: '`.continue/mcpServers/string.yaml` in the project folder',
    path: ({ project }) => `${project}/.continue/mcpServers/string.yaml`,
    language: 'yaml',
    at: [],
    entry: (machine) => ({
      name: 'String',
      version: '0.0.1',
      schema: 'v1',
      mcpServers: [{ name: 'string', ...stdio(machine) }],
    }),
    notes: ['The tool is there in agent mode.'],
  },
  {
    id: 'http',
    name: 'plain HTTP',
    file: 'the configuration of any client that takes a URL',
    path: null,
    language: 'json',
    at: IN_MCP_SERVERS,
    entry: ({ port, agent }) => ({
      type: 'http',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { 'X-Agent-Id': agent },
    }),
    notes: [
      'The daemon must run: `string start`. An agent that is not known yet is registered by its first request. ' +
        'The client must run as you: programs of other users are refused.',
      'The daemon does not know the working directory of such a client: relative paths start at the open document, else ' +
        "at the agent's home. Events are not forwarded.",
      'A call ends with its connection, and its command with it. A client that cancels by a notification alone and leaves the connection ' +
        'open (the official TypeScript SDK does) does not end it: nothing is kept between two requests. `string --mcp` heeds such notifications.',
    ],
  },
]

/** The editors put the project folder in. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is theirs to fill in, not ours
const WORKSPACE = '${workspaceFolder}'

/** A type and no interface, so that it is a value of a configuration. */
type Launch = {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The program by name where a shell finds us under it, else by the paths of this machine. */
function stdio({ node, script, isOnPath, agent, makesAgent, env }: Machine, ...more: readonly string[]): Launch {
  const named = ['--agent', agent, ...(makesAgent ? ['--create'] : [])]
  const args = ['--mcp', ...(agent === DEFAULT_AGENT ? [] : named), ...more]
  const launch = isOnPath ? { command: 'string', args } : { command: node, args: [script, ...args] }
  return Object.keys(env).length === 0 ? launch : { ...launch, env }
}

function byPath(machine: Machine): Machine {
  return { ...machine, isOnPath: false }
}
