/** Every number that bounds the fetching and converting of web pages. */
export const WEB_LIMITS = {
  /** From the name lookup to the last byte, redirects included. */
  pageMs: 20_000,
  /** After decompression. */
  pageBytes: 10 * 1024 * 1024,
  /** As received, so that a body which unpacks to nothing ends too. */
  pageWireBytes: 10 * 1024 * 1024,
  pageHeaderBytes: 64 * 1024,
  redirects: 5,
  urlChars: 4_096,
  /** Addresses that one host name may have. */
  hostAddresses: 64,
  /** What is looked at to tell text from binary, as git does. */
  sniffChars: 8_000,
  /** Where an HTML page may declare its charset. */
  charsetBytes: 4_096,
  /** Open elements; what is nested deeper is flattened. */
  htmlDepth: 200,
  /** Lists and quotes inside each other; each level prefixes every line. */
  htmlIndents: 8,
  /** Emphasis, links and the like inside each other. */
  htmlInlineDepth: 24,
  /** Child nodes that are converted in one go. */
  htmlInlineRun: 200,
  /** Columns a merged table cell may take up. */
  tableSpan: 20,
  /** Columns in which cells merged downwards are tracked. */
  tableTrackedColumns: 50,
  /** Of the Markdown made of a page; the rest is left out. */
  markdownChars: 10 * 1024 * 1024,
} as const

export type WebLimits = { readonly [name in keyof typeof WEB_LIMITS]: number }
