import type { AgentClient } from './agent-client.ts'
import { ANTHROPIC } from './model/anthropic.ts'
import { CHAT } from './model/chat.ts'
import { GEMINI } from './model/gemini.ts'
import { RESPONSES } from './model/responses.ts'

const CLAUDE_FLAGS = ['--allowedTools', 'mcp__string__string']
const CLAUDE_STREAM = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
/** The first turn waits for the tool. */
const CODEX_FLAGS = ['--profile', 'scripted', '-c', 'mcp_servers.string.required=true']
/** A model by name, or it asks another one which to take. */
const GEMINI_FLAGS = ['--model', 'gemini-2.5-flash']

/** The programs, in exactly these versions. */
export const AGENT_CLIENTS: readonly AgentClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.197',
    program: 'claude',
    dialect: ANTHROPIC,
    example: 'claude-code',
    isOurs: ({ name }) => name === 'mcp__string__string',
    files: () => ({}),
    env: ({ modelPort }) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}`,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    }),
    args: (prompt) => ['-p', ...CLAUDE_FLAGS, '--', prompt],
    profileArgs: CLAUDE_FLAGS,
    cancel: {
      by: 'stream',
      args: [...CLAUDE_STREAM, ...CLAUDE_FLAGS],
      say: { type: 'user', message: { role: 'user', content: 'do it' } },
      stop: { type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } },
    },
  },
  {
    id: 'codex',
    name: 'Codex',
    package: '@openai/codex',
    version: '0.166.0',
    program: 'codex',
    dialect: RESPONSES,
    example: 'codex',
    isOurs: ({ name, namespace }) => name === 'string' && namespace === 'mcp__string',
    files: ({ home, modelPort }) => ({
      [`${home}/.codex/scripted.config.toml`]: [
        'model = "scripted"',
        'model_provider = "scripted"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "http://127.0.0.1:${modelPort}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
      ].join('\n'),
    }),
    env: () => ({ SCRIPTED_KEY: 'scripted' }),
    args: (prompt) => ['exec', ...CODEX_FLAGS, '--skip-git-repo-check', prompt],
    profileArgs: CODEX_FLAGS,
    cancel: { by: 'signal' },
  },
  {
    id: 'opencode',
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    program: 'opencode',
    dialect: CHAT,
    example: 'opencode',
    isOurs: ({ name }) => name === 'string_string',
    files: () => ({}),
    // Read beside its file, which so holds nothing but what is printed.
    env: ({ modelPort }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: 'scripted/scripted',
        autoupdate: false,
        share: 'disabled',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'scripted',
            options: { baseURL: `http://127.0.0.1:${modelPort}/v1`, apiKey: 'scripted' },
            models: { scripted: { name: 'scripted' } },
          },
        },
      }),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    args: (prompt) => ['run', '--format', 'json', prompt],
    profileArgs: [],
    cancel: { by: 'acp', args: ['acp'] },
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: 'gemini',
    dialect: GEMINI,
    example: 'gemini-cli',
    isOurs: ({ name }) => name === 'mcp_string_string',
    // The key that is used must be said in the file that holds the configuration of String too.
    files: ({ home }) => ({
      [`${home}/.gemini/settings.json`]: JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      }),
    }),
    env: ({ modelPort }) => ({
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${modelPort}`,
    }),
    args: (prompt) => [...GEMINI_FLAGS, '--skip-trust', '--output-format', 'stream-json', '--prompt', prompt],
    profileArgs: GEMINI_FLAGS,
    cancel: { by: 'acp', args: [...GEMINI_FLAGS, '--skip-trust', '--acp'] },
  },
]
