/** The headers in which MCP says something. */
export const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** Those that a request has. */
export type McpHeaders = Readonly<Partial<Record<(typeof MCP_HEADERS)[number], string>>>

/** What goes back over HTTP. */
export interface McpAnswer {
  readonly status: number
  /** Null when there is nothing to say, as to a notification. */
  readonly body: object | null
}
