import type { Verb, VerbRow } from '../verb-row.ts'

/** How other programs, models and agents come in. */
export const PROGRAM_VERBS: readonly VerbRow[] = [
  {
    name: 'mcp',
    group: 'Programs',
    summary: 'serve MCP on standard input and output',
    usage: ['mcp [--agent ID] [--cwd DIR]'],
    about: ['What an MCP client starts; string --mcp is the same. Ends with its input.'],
    examples: [
      { line: 'mcp --agent bob', does: 'a server that speaks for bob' },
      { line: 'mcp-config claude-code', does: 'how a client is told of it' },
    ],
    load: async (): Promise<Verb> => (await import('../mcp/serve.ts')).runMcp,
  },
  {
    name: 'mcp-config',
    group: 'Programs',
    withoutDaemon: true,
    summary: 'what to write into the configuration of an MCP client',
    usage: ['mcp-config', 'mcp-config CLIENT [--write [--yes] [--file FILE]]'],
    about: ['Without CLIENT: those that are known.'],
    takes: 'client',
    flags: [
      { name: 'write', summary: 'write it into the file of the client, after a question' },
      { name: 'yes', short: 'y', summary: 'without the question' },
      { name: 'file', value: 'FILE', takes: 'file', summary: 'into this file' },
    ],
    examples: [
      { line: 'mcp-config claude-code', does: 'print it' },
      { line: 'mcp-config cursor --write', does: 'put it where the client looks' },
    ],
    load: async (): Promise<Verb> => (await import('../mcp/mcp-config.ts')).runMcpConfigVerb,
  },
  {
    name: 'chanflow',
    group: 'Programs',
    summary: 'run the blocks of a text that a model wrote',
    usage: ['chanflow [--rest] < TEXT'],
    about: ['The replies go to standard output, as blocks.'],
    flags: [{ name: 'rest', summary: 'the text outside of blocks goes to standard error' }],
    examples: [
      { line: 'chanflow < answer.txt', does: 'run them' },
      { line: 'chanflow --json < answer.txt', does: 'how each went, for programs' },
    ],
    exits: [{ status: 1, when: 'a block failed' }],
    load: async (): Promise<Verb> => (await import('../run/chanflow.ts')).runChanFlowVerb,
  },
  {
    name: 'bridge',
    group: 'Programs',
    withoutDaemon: true,
    summary: 'agents that are programs: write, check, try a profile',
    usage: ['bridge init [DIR]', 'bridge check FILE [--cwd DIR]', 'bridge run --profile FILE --message TEXT'],
    subverbs: [
      {
        name: 'init',
        summary: 'write a profile and a small agent that works at once',
        usage: ['bridge init [DIR]'],
        flags: [{ name: 'json', summary: 'what was written, as JSON' }],
        takes: 'folder',
      },
      {
        name: 'check',
        summary: 'is the profile sound, and what would run?',
        usage: ['bridge check FILE [--cwd DIR]'],
        takes: 'file',
        flags: [
          { name: 'cwd', value: 'DIR', takes: 'folder', summary: 'where the agent runs' },
          { name: 'json', summary: 'the same as JSON' },
        ],
        examples: [{ line: 'bridge check my-agent/agent.yaml', does: 'before it is used' }],
      },
      {
        name: 'run',
        summary: 'one turn of an agent',
        usage: ['bridge run --profile FILE --message TEXT [FLAG]…'],
        flags: [
          { name: 'profile', value: 'FILE', takes: 'file', summary: 'how the agent is run' },
          {
            name: 'message',
            short: 'm',
            value: 'TEXT',
            takes: 'text',
            summary: 'what to say; - reads it from standard input',
          },
          { name: 'session', value: 'NAME', takes: 'text', summary: 'which conversation (default)' },
          { name: 'new', summary: 'begin it anew' },
          { name: 'session-id', value: 'ID', takes: 'text', summary: 'instead of the stored one' },
          { name: 'from', value: 'USER', takes: 'text', summary: 'who speaks' },
          { name: 'image', value: 'URL', takes: 'text', summary: 'comes along; may be repeated' },
          { name: 'file', value: 'URL', takes: 'text', summary: 'comes along; may be repeated' },
          { name: 'attachment', value: 'JSON', takes: 'text', summary: 'comes along; may be repeated' },
          { name: 'cwd', value: 'DIR', takes: 'folder', summary: 'where the agent runs, whatever its profile says' },
          { name: 'json', summary: 'a line of JSON per part, and at last the result' },
        ],
      },
    ],
    ownFlags: true,
    examples: [
      { line: 'bridge init my-agent', does: 'something to begin with' },
      { line: 'bridge run --profile my-agent/agent.yaml -m hello', does: 'say it' },
    ],
    exits: [
      { status: 2, when: 'refused' },
      { status: 124, when: 'out of time' },
      { status: 130, when: 'cancelled; else run ends as its agent does' },
    ],
    load: async (): Promise<Verb> => (await import('../bridge-verbs.ts')).runBridgeVerb,
  },
]
