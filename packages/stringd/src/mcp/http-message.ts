/** The headers of a request in which MCP says something; `undefined` where it has none. */
export interface McpHeaders {
  readonly 'mcp-protocol-version': string | undefined
  readonly 'mcp-method': string | undefined
  readonly 'mcp-name': string | undefined
}

/** What goes back over HTTP. */
export interface McpAnswer {
  readonly status: number
  /** Null when there is nothing to say, as to a notification. */
  readonly body: object | null
}
