/** Every number that bounds something, in one table. `spec/limits.md` states them; a test compares the two. */
export const LIMITS = {
  defaultPort: 3923,
  /** Commands that may wait behind the running one in a topic. */
  queueWaiting: 5,
  queueWaitMs: 120_000,
  requestBodyBytes: 10 * 1024 * 1024,
  webhookBodyBytes: 65_536,
  headerBytes: 64 * 1024,
  headersMs: 60_000,
  requestMs: 120_000,
  /** How often slow clients are looked for. */
  slowClientLookMs: 5_000,
  keepAliveIdleMs: 65_000,
  /** Pause between comment lines that keep a running command's connection open. */
  sseCommentMs: 15_000,
  /** How long a refused upload is still read, so that the client gets to see the answer. */
  drainMs: 2_000,
  shutdownGraceMs: 50,
  shutdownMs: 1_500,
  agentIdChars: 128,
  topicChars: 256,
  topics: 10_000,
  requestIdChars: 256,
  /** Working directories that a topic remembers. */
  workingDirs: 64,
  /** Files whose state a topic remembers, to notice that someone else changed them. */
  seenFiles: 4_096,
  variables: 1_000,
  variableChars: 65_536,
  /** Files that a topic need not follow again. */
  locatedPaths: 256,
  pathChars: 4_096,
  /** Of a package, all its files together. */
  packageBytes: 16 * 1024 * 1024,
  packageFiles: 1_000,
  /** Folders inside each other. */
  packageDepth: 16,
  packagePathChars: 512,
  /** Of each command that `/install` names. */
  planCommandChars: 2_000,
  /** From the first byte to the last of everything that an installation fetches. */
  installMs: 120_000,
  /** First line of a command whose arguments are parsed. */
  commandLineChars: 65_536,
  /** Of `head.cmd`, which is for display. */
  shownCommandChars: 200,
  /** Of a caller's own text quoted back in an error. */
  shownValueChars: 200,
  documentBytes: 10 * 1024 * 1024,
  /** What is parsed without a worker; more could hold up everyone else. */
  parseHereChars: 256 * 1024,
  /** The same for text with actions. */
  judgeHereChars: 16 * 1024,
  /** Of the actions of a document that are looked at when it is opened; the others, when they are called. */
  judgedChars: 1024 * 1024,
  parseMs: 10_000,
  /** Large documents that are read and parsed at once, and how many more may wait. */
  parsesAtOnce: 2,
  parsesWaiting: 64,
  webCacheBytes: 64 * 1024 * 1024,
  allowedPaths: 256,
  jsonDepth: 1_000,
  documentCacheBytes: 16 * 1024 * 1024,
  pageBytes: 32 * 1024,
  includes: 64,
  includeDepth: 8,
  /** Of everything that a page includes, together. */
  includedChars: 2 * 1024 * 1024,
  historyEntries: 100,
  /** Names that an error lists. */
  hintedNames: 20,
  /** Entries up to which `/nav` shows a menu opened. */
  navExpanded: 12,
  recentErrors: 20,
  listedEntries: 2_000,
  chanFlowTagChars: 1_024,
  /** Of an action as it is declared. */
  actionChars: 32_768,
  actionFields: 64,
  /** Of the command of an action. */
  commandTemplateBytes: 8 * 1024,
  /** How often it is gone through to learn which variables hold a value. */
  commandTemplatePasses: 8,
  /** Of an HTTP action, from the name lookup to the last byte. */
  actionMs: 50_000,
  /** Of an answer, what is shown: half from its beginning, half from its end. */
  actionOutputChars: 256 * 1024,
  /** Of an answer that is an error. */
  actionErrorChars: 8_192,
  /** Values that a command gets through its environment, one and all together. */
  actionValueBytes: 120_000,
  actionValuesBytes: 1024 * 1024,
  /** Lines of a response template that are run, loops counted out. */
  actionSteps: 100_000,
  actionLoops: 8,
  /** Files that one answer may be saved into. */
  actionFiles: 100,
  /** Values under `@name` that a topic remembers. */
  valueShortcuts: 1_000,
  /** Of one text; of more, none is run. */
  chanFlowBlocks: 1_000,
  /** Blocks of one text that run side by side. */
  chanFlowAtOnce: 16,
  /** Replies to one text, together; blocks after that are not run. */
  chanFlowReplyChars: 16 * 1024 * 1024,
  execMs: 120_000,
  /** The same when the command came through MCP, whose clients give up after a minute. */
  mcpExecMs: 50_000,
  /** How long the MCP server on standard input answers what is under way when its input has ended. */
  mcpDrainMs: 5_000,
  shells: 256,
  shellStartMs: 10_000,
  /** How long a command in a bash topic is waited for. */
  shellWaitMs: 30_000,
  /** A program that takes input is quiet for this long before it is answered for. */
  shellQuietMs: 1_000,
  shellPollMs: 100,
  /** How long bash may take to put a program in front of itself. */
  shellForkMs: 150,
  /** Of a shell command's output, what is shown: half from its beginning, half from its end. */
  shellOutputBytes: 256 * 1024,
  shellFileBytes: 64 * 1024 * 1024,
  shellAgentBytes: 1024 * 1024 * 1024,
  /** Between TERM and KILL. */
  shellGraceMs: 1_000,
  /** How long output is still read when the command is over but something holds it open. */
  shellDrainMs: 150,
  /** How long a sender's key stands for its event. */
  eventKeyMs: 24 * 60 * 60 * 1000,
  eventKeyChars: 255,
  ackedEventMs: 30 * 24 * 60 * 60 * 1000,
  eventPruneMs: 60 * 60 * 1000,
  eventPingMs: 15_000,
  /** Stored events that are read at once for a subscriber that catches up. */
  eventsAtOnce: 16,
  listedEvents: 50,
  eventPreviewChars: 200,
  /** What a subscriber that does not read may miss, and for how long, before it is cut off. */
  subscriberMissedBytes: 4 * 1024 * 1024,
  subscriberStallMs: 60_000,
  /** A database up to this size is checked row by row when the daemon starts. */
  databaseCheckBytes: 64 * 1024 * 1024,
  profileBytes: 65_536,
  /** One string of an environment or argument list, with its name and final NUL: Linux takes no more. */
  agentStringBytes: 131_072,
  /** Largest `max_reply_chars` that a profile may ask for. */
  agentReplyChars: 64 * 1024 * 1024,
  /** Of one line of an agent; what is longer is cut. */
  agentLineBytes: 16 * 1024 * 1024,
  agentSessionChars: 1_024,
  /** Of standard error, the end that is kept for an error message. */
  agentStderrBytes: 4_096,
  /** Warnings that one turn gives. */
  agentWarnings: 20,
  agentPermissionsWaiting: 64,
  /** How long output is still read when everything that a turn started is gone. */
  agentDrainMs: 150,
  /** Sessions of agents that the command line remembers; the ones used longest ago go first. */
  bridgeSessions: 10_000,
  /** How long a process waits for others to write their sessions. */
  bridgeLockMs: 10_000,
  sessionNameChars: 256,
  chatHistoryLines: 1_000,
  chatHistoryLineChars: 4_096,
  /** Of what an agent wants to give a tool, in the question whether it may. */
  shownInputChars: 2_000,
  channelsFileBytes: 65_536,
  deliveryBytes: 1024 * 1024,
  /** One try of a message to another channel. */
  deliveryTryMs: 10_000,
  deliveryGiveUpMs: 24 * 60 * 60 * 1000,
  deliveryKeepMs: 30 * 24 * 60 * 60 * 1000,
  /** The longest pause between two looks at what waits. */
  deliveryPollMs: 60_000,
  deliveriesAtOnce: 8,
  /** Of one agent. */
  deliveriesWaiting: 1_000,
  listedDeliveries: 100,
  /** How many agents may wake each other in a row. */
  agentHops: 8,
  logFileBytes: 10 * 1024 * 1024,
  logFiles: 3,
  daemonStartMs: 15_000,
} as const
