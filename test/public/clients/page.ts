import type { AgentClient } from './agent-client.ts'
import type { Check } from './checks.ts'

/** `docs/mcp/README.md`: what was found with every client; `reason` tells why a check does not pass. */
export function clientsPage(
  clients: readonly AgentClient[],
  checks: readonly Check[],
  reason: (client: AgentClient, check: Check) => string | undefined,
): string {
  const reasons = [...new Set(clients.flatMap((client) => checks.map((check) => reason(client, check))))].filter(
    (text) => text !== undefined,
  )
  const cell = (client: AgentClient, check: Check): string => {
    const found = reason(client, check)
    return found === undefined ? '✓' : `✗ ${reasons.indexOf(found) + 1}`
  }
  const head = ['', ...clients.map(({ name, version }) => `${name} ${version}`)]
  const rows = checks.map((check) => [
    `**${check.name}**: ${check.title}`,
    ...clients.map((client) => cell(client, check)),
  ])
  return [
    '# String in other programs',
    '',
    '<!-- Written by STRING_UPDATE=1 npm run test:public from what the programs did. -->',
    '',
    'There is a page for [Claude Code](claude-code.md), [Claude Desktop](claude-desktop.md), [Codex](codex.md), [Continue](continue.md), [Cursor](cursor.md), [Gemini CLI](gemini.md),',
    '[Goose](goose.md), [opencode](opencode.md), [VS Code](vscode.md), [Windsurf](windsurf.md), [Zed](zed.md) and [plain HTTP](http.md).',
    'Each says what to write where; `string mcp-config CLIENT` prints it for your machine, and with `--write` puts it there.',
    '',
    '## What was tried',
    '',
    'Four of these programs are run against String as they come from the package registry, with exactly the configuration that is',
    'printed for them, without a person, and with a model on this machine that says what it is told to. The last five',
    'checks run them through the bridge, from their profiles in [examples/agents](../../examples/agents). Where a flag is',
    'needed without a person, the page of the client says so.',
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
    ...reasons.map((text, index) => `${index + 1}. ${text[0]?.toUpperCase()}${text.slice(1)}.`),
    '',
  ].join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
