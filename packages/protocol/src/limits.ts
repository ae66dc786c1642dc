/**
 * Every number that bounds what somebody gives or gets, in one table. `spec/limits.md` states them; a test compares the two. How often
 * a loop looks, and what belongs to a format, stands where it is used.
 */
export const LIMITS = {
  defaultPort: 3923,
  /** Commands that may wait behind the running one in a topic. */
  queueWaiting: 5,
  /** When a caller who was one too many may try again, where nothing better is known. */
  queueRetrySecs: 5,
  queueWaitMs: 120_000,
  /** How long a command that was told to stop is waited for. */
  stopMs: 10_000,
  requestBodyBytes: 10 * 1024 * 1024,
  webhookBodyBytes: 65_536,
  /** Of bodies, all requests together, from the first byte to the answer; a quarter of it is for small ones alone. */
  bodiesBytes: 64 * 1024 * 1024,
  smallBodyBytes: 64 * 1024,
  /** Of answers that clients do not read, all together; the oldest is cut off. */
  repliesBytes: 64 * 1024 * 1024,
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
  /** How much of one processor is used to see whose connections are, and how much of that is saved up by resting. */
  peerLookPercent: 20,
  peerLookSavedMs: 500,
  shutdownGraceMs: 50,
  shutdownMs: 1_500,
  /** How long a daemon that stops waits for writes that have begun. */
  shutdownWritesMs: 10_000,
  agents: 10_000,
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
  /** Of an archive of a package, unpacked; and of what stands in it about one name. */
  packageTarBytes: 24 * 1024 * 1024,
  packageTarHeaderBytes: 16 * 1024,
  /** What git may write of a repository that holds a package. */
  packageGitBytes: 64 * 1024 * 1024,
  /** Files that an installation names among those that changed. */
  packageChangedFiles: 50,
  /** Mistakes that an installation names. */
  packageMistakes: 10,
  /** From the first byte to the last of everything that an installation fetches. */
  installMs: 120_000,
  /** First line of a command whose arguments are parsed. */
  commandLineChars: 65_536,
  /** Of `head.cmd`, which is for display. */
  shownCommandChars: 200,
  /** Of a caller's own text quoted back in an error. */
  shownValueChars: 200,
  /** Of an answer: the system line, and the content of which the rest is kept in a file. */
  answerBytes: 64 * 1024,
  /** The same of an answer over MCP, with its envelope. */
  mcpAnswerBytes: 32 * 1024,
  systemChars: 8_192,
  /** Of what an error shows that a command printed or a server answered. */
  errorBytes: 8_192,
  documentBytes: 10 * 1024 * 1024,
  /** What is parsed without a worker in one turn of the event loop, by all commands together; the rest is parsed in workers. */
  parseHereChars: 8 * 1024,
  /** A document up to this size need not wait for larger ones, and leaves its worker fit for the next. */
  smallDocumentChars: 256 * 1024,
  /** Of links, sections, blocks and actions, of each kind, what counts in a document. */
  documentParts: 20_000,
  /** What one command parses, in all that it loads. */
  commandChars: 16 * 1024 * 1024,
  /** Pages that one command fetches, and menus that it opens. */
  commandPages: 128,
  commandMenus: 64,
  /** Of the actions of a document that are looked at when it is opened; the others, when they are called. */
  judgedChars: 1024 * 1024,
  parseMs: 10_000,
  /** How long a worker without work is kept. */
  parserIdleMs: 30_000,
  /** Of the heap of one worker. */
  parserMib: 768,
  /** Small documents that are parsed at once; large ones that are read and parsed at once, and how many more may wait. */
  parsesAtOnce: 2,
  largeParsesAtOnce: 1,
  parsesWaiting: 64,
  webCacheBytes: 64 * 1024 * 1024,
  allowedPaths: 256,
  jsonDepth: 1_000,
  /** Values inside a JSON text that is read. */
  jsonValues: 500_000,
  documentCacheBytes: 16 * 1024 * 1024,
  /** Less than an answer over MCP, which says in a line what was opened. */
  pageBytes: 31 * 1024,
  includes: 64,
  includeDepth: 8,
  /** Of everything that a page includes, together. */
  includedChars: 2 * 1024 * 1024,
  historyEntries: 100,
  /** Of what edits replaced, kept for `/undo`: all topics together. */
  undoBytes: 64 * 1024 * 1024,
  /** Of a file or body in an edit. */
  editedLines: 300_000,
  /** Places that one `/replace` changes. */
  replacedPlaces: 200_000,
  /** Pairs of lines that a diff compares. */
  diffSteps: 10_000_000,
  /** Names that an error lists. */
  hintedNames: 20,
  /** Entries up to which `/nav` shows a menu opened. */
  navExpanded: 12,
  /** Of a search: how long it takes, its threads, and how many run at once and may wait. */
  searchMs: 10_000,
  searchThreads: 2,
  searchesAtOnce: 2,
  searchesWaiting: 64,
  searcherMib: 512,
  searchPatternChars: 1_000,
  /** What it shows: lines, those of one file, characters of one, lines around it, files where only these are asked for. */
  foundLines: 100,
  foundLinesInFile: 20,
  foundLineChars: 300,
  foundContextLines: 20,
  foundFiles: 500,
  /** Of a file that says what git ignores. */
  ignoreFileBytes: 256 * 1024,
  /** Of a file, in which the lines of `/open PATH:L5` are looked for. */
  scannedBytes: 1024 * 1024 * 1024,
  /** Lines around the one that `/open PATH:L5` names. */
  openedAroundLines: 10,
  /** Replacements in one body. */
  replacements: 100,
  recentErrors: 20,
  /** Errors and deliveries, of each the newest, on the page of the system. */
  systemRows: 5,
  listedEntries: 2_000,
  chanFlowTagChars: 1_024,
  /** Of an action as it is declared. */
  actionChars: 32_768,
  actionFields: 64,
  /** Of the command of an action. */
  commandTemplateBytes: 8 * 1024,
  /** How often it is gone through to learn which variables hold a value. */
  commandTemplatePasses: 8,
  /** Nodes of the syntax tree of a command, and how many of them are looked at in all passes. */
  commandTemplateNodes: 3_000,
  commandTemplateWork: 12_000,
  /** Of an HTTP action, from the name lookup to the last byte. */
  actionMs: 50_000,
  /** Of JSON that is made readable, and of a request that is only shown; a template makes at most four times as much. */
  actionOutputChars: 256 * 1024,
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
  /** How long a shell waits for what the daemon knows of a word that is typed. */
  shellCompletionMs: 1_000,
  /** The same when the command came through MCP, whose clients give up after a minute. */
  mcpExecMs: 50_000,
  /** What is left of that for a command that had to wait for its turn. */
  mcpRunMs: 5_000,
  /** How long the MCP server on standard input answers what is under way when its input has ended. */
  mcpDrainMs: 5_000,
  shells: 256,
  shellStartMs: 10_000,
  /** How long a command in a bash topic is waited for. */
  shellWaitMs: 30_000,
  /** A program that takes input is quiet for this long before it is answered for. */
  shellQuietMs: 1_000,
  shellPollMs: 100,
  /** A program that has the whole screen is quiet for this long before it is shown. */
  shellDrawnMs: 100,
  /** How a program has set its terminal is asked when a line is typed to it, and waited for so long. */
  terminalFlagsMs: 500,
  terminalColumns: 500,
  terminalRows: 200,
  /** How long bash may take to put a program in front of itself. */
  shellForkMs: 150,
  /** Of a shell command's output, what is in memory: half from its beginning, half from its end. */
  shellOutputBytes: 256 * 1024,
  /** The same of all commands that run; when they hold so much, each keeps no more than the second. */
  outputsBytes: 64 * 1024 * 1024,
  tightOutputBytes: 16 * 1024,
  /** Of all that a shell printed, the end that whoever looks on sees. */
  screenBytes: 16 * 1024,
  /** The same for readers that have a place of their own in it; more, while one has asked not longer ago than the third. */
  shellTailBytes: 64 * 1024,
  shellReadBytes: 4 * 1024 * 1024,
  shellReaderMs: 60_000,
  /** How far what runs may be ahead of a reader for whom it waits, and how long it waits for one who does not come back. */
  shellAheadBytes: 1024 * 1024,
  shellPatienceMs: 5_000,
  /** What comes behind the first that is new to such a reader, and goes along with it. */
  shellGatherMs: 30,
  /** Of what a program draws, the rows that have left its screen. */
  drawnRows: 2_000,
  /** Of what a line editor prints for a line that is typed: it may paint it anew with each letter. */
  typedEchoBytes: 16 * 1024,
  /** Of a line that has not ended, and may be a question; what comes behind that many is the next one. */
  openLineBytes: 8 * 1024,
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
  /** How many rows a list has at most, whatever is asked for. */
  listedMax: 200,
  /** How far events that wait are counted in the list of agents. */
  listedPending: 100,
  /** How long what is known of agents is kept where every change is heard. */
  agentFactsMs: 60 * 1000,
  /** Agents that run, and that failed, which are named at a glance. */
  overviewAgents: 5,
  /** Of more events it is only said that there are more. */
  countedEvents: 1_000,
  /** How often at most an agent is told that events wait. */
  eventNoticeMs: 60_000,
  /** How long the number of events that wait holds for that, where none has come since. */
  eventCountMs: 1_000,
  /** How long `/events.wait` waits, where nothing else is said, and at most. */
  eventWaitMs: 30_000,
  eventWaitMaxMs: 600_000,
  eventPreviewChars: 200,
  /** What a subscriber that does not read may miss, and for how long, before it is cut off. */
  subscriberMissedBytes: 4 * 1024 * 1024,
  subscriberStallMs: 60_000,
  /** What all subscribers together have not read; of more, the one that is behind longest is cut off. */
  subscribersBytes: 32 * 1024 * 1024,
  /** Streams of changes that are open, and things whose last change is remembered for those who come back. */
  watchStreams: 4_000,
  watchedChanges: 10_000,
  /** How long changes are remembered when nobody watches any more. */
  watchKeepMs: 60_000,
  /** The least time between two looks at what has changed. */
  watchPauseMs: 100,
  /** Turns whose text one stream tells, and what of the text of one waits to be told. */
  watchedTurns: 100,
  watchTextBytes: 256 * 1024,
  /** A disk that takes longer to sync is not waited for by all who do something else. */
  diskWaitMs: 1,
  /** A database up to this size is checked row by row when the daemon starts. */
  databaseCheckBytes: 64 * 1024 * 1024,
  /** Rows that one change removes; the rest is for the next. */
  removedAtOnce: 1_000,
  /** How long work stays with whoever claimed it and is not heard of. */
  leaseMs: 30_000,
  /** How long the store may take to answer; within 5 s whoever asked hears that it is away. */
  storeAnswerMs: 4_000,
  /** When the store goes away, so long its callers wait for its return; later they hear at once. */
  storeGraceMs: 3_000,
  /** Pauses between two tries to reach the store: the first, and the longest. */
  storeRetryMs: 100,
  storeRetryMaxMs: 5_000,
  /** How often a connected store is asked for news that nobody told. */
  storeLookMs: 5_000,
  /** How long a node tells others what changes after they said that somebody watches there; what it remembers of before. */
  watchWantedMs: 15_000,
  watchHeardMs: 2_000,
  watchSharedChanges: 500,
  /** How often a node says that it lives, and when it is lost; when one without agents is forgotten. */
  nodeBeatMs: 5_000,
  nodeLostMs: 20_000,
  nodeKeepMs: 30 * 24 * 60 * 60 * 1000,
  listedNodes: 1_000,
  /** Of more turns and agents in the list of nodes it is only said that there are so many. */
  countedTurns: 10_000,
  /** Turns that a node runs at once when it takes those that any node may run. */
  maxTurns: 8,
  /** How often what a turn says is passed on to other nodes, and how long its cancel is waited for there. */
  turnNewsMs: 100,
  turnCancelMs: 15_000,
  /** How long the move of an agent to another node waits for what runs. */
  moveMs: 600_000,
  /** Connections to a database server, beside the one that hears of news. */
  storeConnections: 6,
  /** Events that are stored with one statement, and their bytes. */
  storeAppendsAtOnce: 256,
  storeAppendBytes: 8 * 1024 * 1024,
  /** What `string store copy` moves at once, but for a row that is larger, and how long a statement of it may take. */
  storeCopyRows: 1_000,
  storeCopyBytes: 1024 * 1024,
  storeCopyMs: 60_000,
  profileBytes: 65_536,
  /** One string of an environment or argument list, with its name and final NUL: Linux takes no more. */
  agentStringBytes: 131_072,
  /** Largest `max_reply_chars` that a profile may ask for. */
  agentReplyChars: 64 * 1024 * 1024,
  /** Of one line of an agent; what is longer is cut. */
  agentLineBytes: 16 * 1024 * 1024,
  agentSessionChars: 1_024,
  /** Of standard error, the end that is kept for whoever runs the agent. */
  agentStderrBytes: 4_096,
  /** Of what an agent that runs has printed on standard output, the end is shown. */
  agentStdoutBytes: 4_096,
  /** What a profile takes from the environment is hidden where it is this long. */
  secretChars: 8,
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
  /** What one answer names of all that could be typed. */
  completions: 200,
  /** Of a page that is laid out for a terminal; a longer one is shown as it is. */
  laidOutChars: 1024 * 1024,
  /** Of what a person typed at a terminal. */
  inputHistoryEntries: 1_000,
  inputHistoryChars: 4_096,
  /** Of what an agent wants to give a tool, in the question whether it may. */
  shownInputChars: 2_000,
  /** Largest file of another program that `mcp-config --write` edits. */
  clientConfigBytes: 1024 * 1024,
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
  turnAttachments: 100,
  /** Turns that wait in one session. */
  turnsWaiting: 5,
  listedTurns: 50,
  listedTurnsMax: 200,
  /** The latest turns, among which a part of an id is looked for. */
  turnsSearched: 1_000,
  listedUsage: 1_000,
  /** How long a `request_id` stands for its turn. */
  turnRequestMs: 24 * 60 * 60 * 1000,
  /** How long a client looks for a daemon that went away in the middle of a turn. */
  turnReopenMs: 60_000,
  /** The same where a person waits for it: as long as a restart takes. */
  chatReopenMs: 1_500,
  /** Failed runs of a turn that are remembered, and how much of the reason of each. */
  turnTries: 5,
  turnTryChars: 300,
  /** How long turns that are over are kept, and how many of an agent. */
  turnKeepMs: 30 * 24 * 60 * 60 * 1000,
  turnsKept: 10_000,
  /** Of the message of a turn in a list. */
  turnPreviewChars: 200,
  /** What is kept of the texts of all steps of a turn, and of one. */
  turnStepsChars: 256 * 1024,
  turnStepChars: 16 * 1024,
  turnPartialChars: 256 * 1024,
  /** How often what a turn has said goes to the disk while it runs: no more of it is lost with its daemon. */
  turnSaidMs: 2_000,
  /** What an agent may print in one step. */
  turnStepBytes: 10 * 1024 * 1024,
  /** Of what is added to an answer to a question of an agent, and of the question itself. */
  approvalNoteChars: 4_096,
  approvalDetailChars: 256 * 1024,
  /** How long an agent waits for the answer where its profile says nothing else, and at most. */
  approvalMs: 30 * 60 * 1000,
  approvalMaxMs: 7 * 24 * 60 * 60 * 1000,
  /** How long questions that are over are kept, how many may wait, and how many are listed. */
  approvalKeepMs: 30 * 24 * 60 * 60 * 1000,
  approvalsWaiting: 1_000,
  listedApprovals: 50,
  listedApprovalsMax: 200,
  /** How often a lease of work that goes on is renewed, and when work without a renewal is ended. */
  leaseRenewMs: 10_000,
  leaseEndMs: 25_000,
  /** An event is given to its agent so often, with these pauses. */
  wakeRuns: 3,
  wakeFirstPauseMs: 10_000,
  wakePauseMs: 60_000,
  /** Messages that an agent is refused for the same reason are one line of the log in so long. */
  refusalLogMs: 60_000,
  /** How many agents may wake each other in a row. */
  agentHops: 8,
  logFileBytes: 10 * 1024 * 1024,
  logFiles: 3,
  /** Lines of the log that are answered, where no number is asked for and at most. */
  listedLog: 100,
  listedLogMax: 1_000,
  /** Of one answer; what was logged in one millisecond is not parted for it, up to twice as much. */
  listedLogBytes: 1024 * 1024,
  /** What `string logs` shows where no number is asked for, and how often it looks for more. */
  timelineRows: 50,
  timelineLookMs: 1_000,
  /** How long one check of `string doctor` may take, and all that a daemon is asked for it. */
  doctorCheckMs: 5_000,
  doctorMs: 8_000,
  /** Of agents whose profiles and channels are looked at, and of findings that are told. */
  doctorAgents: 1_000,
  doctorFindings: 100,
  /** Below this much of the disk is told. */
  doctorFreeBytes: 256 * 1024 * 1024,
  daemonStartMs: 15_000,
  /** How long a start waits for a data folder that another daemon has. */
  dataLockMs: 1_000,
  /** Variables that a package lists. */
  packageNeeds: 100,
  /** Of the warnings about a document: nobody reads more. */
  documentWarnings: 100,
  /** A target that is longer is worth a name although the author gave it none. */
  longTargetChars: 40,
  /** Of a diff: lines around a change, edits that are looked for, rows that are shown. */
  diffContextLines: 2,
  diffEdits: 500,
  diffRows: 400,
  /** Of a heading, what is read as a title. */
  titleChars: 300,
  /** Of front matter; of very many keys each is compared with all others. */
  frontMatterChars: 16_384,
  /** Of a subject that is taken from the text of a mail. */
  mailSubjectChars: 77,
  /** What one answer of an action saves, and the items of a value that it sets. */
  actionFilesMib: 40,
  tupleItems: 64,
  /** Of a screen that an output draws: columns, lines that it goes up at once, and blanks that it makes for each character. */
  screenColumns: 10_000,
  screenRowsUp: 1_000,
  screenBlanks: 8,
  /** Of an answer with its styles: one that would be longer has none. */
  styledChars: 512 * 1024,
  /** Of a script that is typed as it is; a terminal takes lines of 4,095 bytes, and each quote in it becomes four. */
  shellLineBytes: 900,
  /** Of what is printed behind a typed line, before it is known whether that is its echo. */
  echoPieces: 256,
  /** Of what was typed to a program that has not read it; a terminal keeps no more. */
  unreadBytes: 8_192,
  /** Of the name of a pager that comes with a line: six of them fit beside it. */
  pagerBytes: 128,
  /** Of a mark that a shell puts between its outputs. */
  shellMarkBytes: 8_192,
  /** Links in a row: as many as the kernel follows. */
  linksFollowed: 40,
  /** Brackets inside each other in the template of a command. */
  commandTemplateDepth: 48,
  /** JSON that is nested deeper is shown as it is: its indentation would be larger than itself. */
  prettyJsonDepth: 32,
  /** Shorter secrets of an action are words that stand everywhere: hiding them would hide the answer. */
  actionSecretChars: 4,
  /** Of YAML that anybody writes: depth, opening brackets. */
  yamlDepth: 64,
  yamlBrackets: 1_000,
  /** From the name lookup to the last byte, redirects included. */
  webPageMs: 20_000,
  /** After decompression. */
  webPageBytes: 10 * 1024 * 1024,
  /** As received, so that a body which unpacks to nothing ends too. */
  webPageWireBytes: 10 * 1024 * 1024,
  webPageHeaderBytes: 64 * 1024,
  webRedirects: 5,
  webUrlChars: 4_096,
  /** Addresses that one host name may have. */
  webHostAddresses: 64,
  /** What is looked at to tell text from binary, as git does. */
  webSniffChars: 8_000,
  /** Where an HTML page may declare its charset. */
  webCharsetBytes: 4_096,
  /** Open elements; what is nested deeper is flattened. */
  webHtmlDepth: 200,
  /** Lists and quotes inside each other; each level prefixes every line. */
  webHtmlIndents: 8,
  /** Emphasis, links and the like inside each other. */
  webHtmlInlineDepth: 24,
  /** Child nodes that are converted in one go. */
  webHtmlInlineRun: 200,
  /** Columns a merged table cell may take up. */
  webTableSpan: 20,
  /** Columns in which cells merged downwards are tracked. */
  webTableTrackedColumns: 50,
  /** Of the Markdown made of a page; the rest is left out. */
  webMarkdownChars: 10 * 1024 * 1024,
  /** Of aliases in a profile: more are of no use in a file this small, and each may stand for much. */
  yamlAliases: 50,
  /** Programs in a row that run what follows (`env nice timeout …`). */
  commandPrefixes: 8,
  /** Nesting of another program's configuration into which an entry is put. */
  configFileDepth: 100,
} as const
