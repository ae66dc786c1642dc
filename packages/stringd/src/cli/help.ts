export const HELP = `string: one text surface for AI agents

  string TOPIC 'COMMAND'     run one command            string 'COMMAND'   in topic main
  string TOPIC -             command and body from standard input
  string [TOPIC]             a prompt in a topic, where a person types: history, completion, pages laid out
  string stop TOPIC [--all]  end the command that runs there; --all: those that wait too
  string chanflow [--rest]   run the blocks of a text from standard input; the text outside goes to standard error
  string deliveries [--all]  what became of messages to other channels
  string agent list | show ID | add ID [--home DIR] [--allow DIR]… [--profile FILE] | remove ID
  string agent status | start | stop | pause | resume ID
                             pause: events wait; stop: ends its turns too; start and resume undo it
  string turns [--failed] [--since 1d] [--session NAME] [--limit N] [--follow]
                             what agents did, of all or with --agent of one; --follow shows what they do
  string turn show | retry | cancel ID     one turn: what it did and why it failed; the end of an ID is enough
  string usage [--by agent|session|day] [--since 7d]      what turns have cost
  string webhook show | rotate     where programs post events for the agent
  string events [--all | --follow] what arrived; --follow shows events as they come
  string --mcp               serve MCP on standard input and output
  string mcp-config [CLIENT] what to write into the configuration of an MCP client; --write writes it
  string chat [--profile FILE] [--session NAME] [--new]   talk to an agent
  string bridge run | check | init                        one turn of an agent; string bridge --help
  string --daemon start|stop|status|restart|logs

  --agent ID     the agent to speak for (STRING_AGENT, else default)
  --json         {ok, code, topic, content, meta, data}
  --plain        the answer without its envelope
  --cwd DIR      where ./ starts, instead of the working directory
  --port N       the daemon's port (STRING_PORT, else the running daemon's, else 3923)
  --version, --help

The daemon is started when it is not running. Commands begin with a slash: string main /help lists them.
Exit status: 0 ok, 1 the command failed, 2 wrong usage, 3 no daemon, 141 nobody reads the output.
`
