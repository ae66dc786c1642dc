import { LIMITS } from '@string-os/protocol'

/** What bounds the fetching and converting of web pages; a test may give others. */
export const WEB_LIMITS = {
  pageMs: LIMITS.webPageMs,
  pageBytes: LIMITS.webPageBytes,
  pageWireBytes: LIMITS.webPageWireBytes,
  pageHeaderBytes: LIMITS.webPageHeaderBytes,
  redirects: LIMITS.webRedirects,
  urlChars: LIMITS.webUrlChars,
  hostAddresses: LIMITS.webHostAddresses,
  sniffChars: LIMITS.webSniffChars,
  charsetBytes: LIMITS.webCharsetBytes,
  htmlDepth: LIMITS.webHtmlDepth,
  htmlIndents: LIMITS.webHtmlIndents,
  htmlInlineDepth: LIMITS.webHtmlInlineDepth,
  htmlInlineRun: LIMITS.webHtmlInlineRun,
  tableSpan: LIMITS.webTableSpan,
  tableTrackedColumns: LIMITS.webTableTrackedColumns,
  markdownChars: LIMITS.webMarkdownChars,
} as const

export type WebLimits = { readonly [name in keyof typeof WEB_LIMITS]: number }
