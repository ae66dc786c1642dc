/** What a configuration must know of the machine it is for. */
export interface Machine {
  /** The program that runs scripts, and our script, by their paths. */
  readonly node: string
  readonly script: string
  readonly port: number
  readonly agent: string
}

/** A program that speaks MCP, and what it has to be told. */
export interface McpClientRow {
  /** As `string mcp-config` takes it. */
  readonly id: string
  readonly name: string
  readonly file: string
  readonly language: 'json' | 'toml'
  readonly config: (machine: Machine) => string
  readonly notes: readonly string[]
}

/** Every client that has a page. */
export const MCP_CLIENTS: readonly McpClientRow[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    file: '`.mcp.json` in the project folder',
    language: 'json',
    config: (machine) => json({ mcpServers: { string: byName(machine) } }),
    notes: [
      'For all projects: `claude mcp add --scope user string -- string --mcp`.',
      'Events that reach the agent (`string webhook show`) are also sent as channel messages. While channels are a preview, ' +
        'Claude Code shows them when it is started with `claude --dangerously-load-development-channels server:string`.',
    ],
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    file: '`claude_desktop_config.json` (Settings, Developer, Edit Config)',
    language: 'json',
    config: (machine) => json({ mcpServers: { string: byPath(machine) } }),
    notes: [
      'The paths are those of your machine: an app that was not started from a shell may not find `string` or `node`.',
      'It has no working directory of yours; add `"--cwd", "/some/folder"` to `args` to give `./` a meaning.',
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    file: '`~/.codex/config.toml`',
    language: 'toml',
    config: (machine) => toml('mcp_servers.string', byName(machine)),
    notes: ['Or: `codex mcp add string -- string --mcp`.'],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    file: '`.cursor/mcp.json` in the project folder, or `~/.cursor/mcp.json`',
    language: 'json',
    config: (machine) => json({ mcpServers: { string: byName(machine, '--cwd', WORKSPACE) } }),
    notes: [],
  },
  {
    id: 'vscode',
    name: 'VS Code',
    file: '`.vscode/mcp.json` in the project folder',
    language: 'json',
    config: (machine) => json({ servers: { string: { type: 'stdio', ...byName(machine, '--cwd', WORKSPACE) } } }),
    notes: ['The tool is there in agent mode.'],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    file: '`.gemini/settings.json` in the project folder, or `~/.gemini/settings.json`',
    language: 'json',
    config: (machine) => json({ mcpServers: { string: byName(machine) } }),
    notes: ['Or: `gemini mcp add string string --mcp`.'],
  },
  {
    id: 'http',
    name: 'plain HTTP',
    file: 'the configuration of any client that takes a URL',
    language: 'json',
    config: ({ port, agent }) =>
      json({
        mcpServers: {
          string: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: { 'X-Agent-Id': agent } },
        },
      }),
    notes: [
      'The daemon must run: `string --daemon start`. An agent that is not known yet is registered by its first request. ' +
        'The client must run as you: programs of other users are refused.',
      'The daemon does not know the working directory of such a client: relative paths start at the open document, else ' +
        "at the agent's home. Events are not forwarded.",
    ],
  },
]

/** The editors put the project folder in. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is theirs to fill in, not ours
const WORKSPACE = '${workspaceFolder}'

interface Launch {
  readonly command: string
  readonly args: readonly string[]
}

function byName({ agent }: Machine, ...more: readonly string[]): Launch {
  return { command: 'string', args: ['--mcp', ...agentArgs(agent), ...more] }
}

function byPath({ node, script, agent }: Machine): Launch {
  return { command: node, args: [script, '--mcp', ...agentArgs(agent)] }
}

function agentArgs(agent: string): readonly string[] {
  return agent === 'default' ? [] : ['--agent', agent]
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}

/** Quoted as in JSON, which TOML reads too. */
function toml(table: string, { command, args }: Launch): string {
  return `[${table}]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`
}
