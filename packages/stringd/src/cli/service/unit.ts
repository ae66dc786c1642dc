/** What a unit says. */
export interface UnitParts {
  /** The program and its arguments. */
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * A unit of systemd for one user. What would keep agents from their work is left out: every sandbox of a user's unit takes
 * `sudo` from all that the daemon starts, and most hide files that an agent is meant to see.
 */
export function unitText({ command, environment }: UnitParts): string {
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${quotedWord(`${name}=${value}`)}`)
  return `# Made by string service install, which makes it anew; string service uninstall removes it.
[Unit]
Description=String: one text surface for AI agents
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
ExecStart=${command.map((word) => quotedWord(word).replaceAll('$', '$$$$')).join(' ')}
${variables.join('\n')}
Restart=on-failure
RestartSec=2
# The daemon ends what its agents started in order; what is left after that is killed.
KillMode=mixed
TimeoutStopSec=30
# A program of an agent that takes all memory ends alone.
OOMPolicy=continue
# No memory of agents is written to the disk by a crash.
LimitCORE=0
LimitNOFILE=65536

[Install]
WantedBy=default.target
`
}

/** As systemd reads a word: C escapes inside quotes, and a per cent sign twice. */
function quotedWord(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('%', '%%')
  return `"${escaped}"`
}
