import type { Verb, VerbRow } from '../verb-row.ts'

const STORE_NAMES = [
  'A store is sqlite:FOLDER (a data folder), postgres://USER@HOST/DATABASE or env:',
  'what STRING_STORE names, else the file in the data folder.',
]

/** What is kept and set up on this machine. */
export const MACHINE_VERBS: readonly VerbRow[] = [
  {
    name: 'fleet',
    group: 'This machine',
    toldBy: 'store',
    actsAlone: true,
    summary: 'the nodes that share a store, and who lives where',
    usage: ['fleet [--follow]', 'fleet drain | resume', 'fleet move AGENT NODE [--home DIR] [--now]'],
    flags: [{ name: 'follow', summary: 'again whenever something changes, until Ctrl-C' }],
    subverbs: [
      { name: 'drain', summary: 'take no new turns here, wait for those that run', usage: ['fleet drain'] },
      { name: 'resume', summary: 'undo drain; a restart does, too', usage: ['fleet resume'] },
      {
        name: 'move',
        summary: 'let an agent live on this node, with what waits for it',
        usage: ['fleet move AGENT NODE [--home DIR] [--now]'],
        flags: [
          { name: 'home', value: 'DIR', takes: 'folder', summary: 'its home here; the same path when nothing is said' },
          { name: 'now', summary: 'end what runs, do not wait for it' },
        ],
        takes: 'agent',
      },
    ],
    examples: [
      { line: 'fleet --follow', does: 'watch all nodes' },
      { line: 'fleet move bob web2', does: 'on web2, when web1 is gone' },
    ],
    load: async (): Promise<Verb> => (await import('../fleet/verb.ts')).runFleetVerb,
  },
  {
    name: 'store',
    group: 'This machine',
    daemon: 'none',
    summary: 'where everything is kept: check, backup; fleet: who shares it',
    usage: ['store check [NAME]', 'store backup FILE', 'store copy FROM TO'],
    about: [...STORE_NAMES, 'Leave passwords out of arguments: they come from PGPASSWORD or ~/.pgpass.'],
    subverbs: [
      {
        name: 'check',
        summary: 'can it be used, and what should change? Changes nothing',
        usage: ['store check [NAME]'],
        about: STORE_NAMES,
        takes: ['env', 'sqlite:', 'postgres://'],
      },
      {
        name: 'backup',
        summary: 'a copy in a file, also while the daemon runs',
        usage: ['store backup FILE'],
        about: [
          'Copies the SQLite file of the data folder as it stands at one moment, and looks',
          'whether the copy is sound. FILE must not be there yet. Of a PostgreSQL it says',
          'which pg_dump to run. docs/operating.md: what else to back up, and restoring.',
        ],
        takes: 'file',
      },
      {
        name: 'copy',
        summary: 'everything to an empty store',
        usage: ['store copy FROM TO'],
        about: [
          ...STORE_NAMES,
          'copy wants both stores for itself: stop their daemons first. Begun anew, it',
          'goes on where it stopped; no daemon uses TO before the copy is whole.',
        ],
        takes: ['env', 'sqlite:', 'postgres://'],
      },
    ],
    flags: [{ name: 'json', summary: 'the outcome as JSON' }],
    ownFlags: true,
    examples: [
      { line: 'store backup ~/string-backup.db', does: 'a copy, while it runs' },
      { line: 'store copy sqlite:$HOME/.string/daemon env', does: 'move to what STRING_STORE names' },
    ],
    exits: [{ status: 1, when: 'it cannot be used, or was not copied or backed up' }],
    load: async (): Promise<Verb> => (await import('../store-verbs.ts')).runStoreVerb,
  },
  {
    name: 'doctor',
    group: 'This machine',
    daemon: 'none',
    summary: 'what is wrong here, and how to mend it',
    usage: ['doctor'],
    about: [
      'Looks at Node, port, data folder, store, shell, profiles, channels, disk and',
      'versions, and tries at the daemon what a foreign page or user could try.',
      'Changes nothing, and starts no daemon.',
    ],
    examples: [
      { line: 'doctor', does: 'each check is ok, warn or FAIL, with what to type' },
      { line: 'doctor --json', does: 'the same as data' },
    ],
    exits: [{ status: 1, when: 'something fails' }],
    load: async (): Promise<Verb> => (await import('../doctor-verbs.ts')).runDoctorVerb,
  },
  {
    name: 'service',
    group: 'This machine',
    daemon: 'none',
    summary: 'have systemd start String, without root',
    usage: ['service install [--dry-run]', 'service uninstall', 'service status'],
    about: ['A unit of your own: ~/.config/systemd/user/string.service'],
    subverbs: [
      {
        name: 'install',
        summary: 'write the unit, enable and start it',
        usage: ['service install [--dry-run]'],
        about: [
          'The daemon gets the STRING_* variables that are set now, PATH and LANG.',
          'Done again, it brings the unit up to date.',
        ],
        flags: [{ name: 'dry-run', summary: 'show the file, and do nothing' }],
      },
      {
        name: 'uninstall',
        summary: 'end it and remove the unit; what String keeps stays',
        usage: ['service uninstall [--dry-run]'],
        flags: [{ name: 'dry-run', summary: 'tell what would be done' }],
      },
      { name: 'status', summary: 'is it installed, does it run?', usage: ['service status'] },
    ],
    examples: [
      { line: 'service install', does: 'String starts when you log in' },
      { line: 'service install --dry-run', does: 'what would be written, and where' },
    ],
    exits: [{ status: 1, when: 'not installed, or not running' }],
    load: async (): Promise<Verb> => (await import('../doctor-verbs.ts')).runServiceVerb,
  },
  {
    name: 'config',
    group: 'This machine',
    daemon: 'none',
    summary: 'what is configured, and where that comes from',
    usage: ['config'],
    about: [
      'Every variable that String knows, what holds, and whether the environment says',
      'so; also where the daemon that runs was started with something else.',
    ],
    examples: [
      { line: 'config', does: 'as a table' },
      { line: 'config --json', does: 'the same for programs' },
    ],
    load: async (): Promise<Verb> => (await import('../config/verb.ts')).runConfigVerb,
  },
  {
    name: 'completion',
    group: 'This machine',
    daemon: 'none',
    summary: 'a script with which your shell completes what you type',
    usage: ['completion bash | zsh | fish'],
    about: [
      'Verbs, flags, agents, topics, and behind a topic its commands. In bash, put',
      '  source <(string completion bash)',
      'into ~/.bashrc; in zsh and fish write it where the shell looks:',
      '  string completion zsh > ~/.zfunc/_string',
      '  command string completion fish > ~/.config/fish/completions/strg.fish',
      'In fish, where string is a builtin, it completes strg, the second name of this.',
    ],
    takes: ['bash', 'zsh', 'fish'],
    examples: [
      { line: 'completion bash', does: 'the script' },
      { line: 'completion zsh', does: 'the same for another shell' },
    ],
    load: async (): Promise<Verb> => (await import('../completion/verb.ts')).runCompletionVerb,
  },
  {
    name: 'help',
    group: 'This machine',
    daemon: 'none',
    summary: 'how a verb is used, what an error means',
    usage: ['help [VERB [SUBVERB]]', 'help CODE'],
    takes: 'verb',
    hidden: true,
    examples: [
      { line: 'help agent add', does: 'one thing that a verb does' },
      { line: 'help NOT_FOUND', does: 'why an error with that code comes, and what to do' },
    ],
    load: async (): Promise<Verb> => (await import('../help-verb.ts')).runHelpVerb,
  },
  {
    name: 'version',
    group: 'This machine',
    daemon: 'none',
    summary: 'which version this is, and which the daemon is',
    usage: ['version'],
    about: ['string --version prints that of this program alone.'],
    examples: [
      { line: 'version', does: 'of this program, the daemon and Node' },
      { line: 'version --json', does: 'the same for programs' },
    ],
    load: async (): Promise<Verb> => (await import('../config/version.ts')).runVersionVerb,
  },
  {
    name: '__complete',
    group: 'This machine',
    daemon: 'none',
    summary: 'what may be typed next, for the scripts of string completion',
    usage: ['__complete -- WORD…'],
    ownFlags: true,
    hidden: true,
    examples: [
      { line: '__complete -- ag', does: 'how a word may go on' },
      { line: "__complete -- agent ''", does: 'what may stand behind agent' },
    ],
    load: async (): Promise<Verb> => (await import('../completion/complete-verb.ts')).runCompleteVerb,
  },
]
