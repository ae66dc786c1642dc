import { shellWord } from '../doctor/shell-word.ts'
import { isSlip } from './slip.ts'

/** Commands of topics, which are typed with a slash. */
export const SLASHED: readonly string[] =
  'open back refresh nav find edit write append replace undo verify act exec set unset install uninstall ls info topics close'.split(
    ' ',
  )

/** What other programs call it, and what is typed here: a command of a topic, which takes the words behind it, or a verb. */
export const CALLED_OTHERWISE: ReadonlyMap<string, string> = new Map([
  ...['cat', 'read', 'view', 'show', 'less'].map((name) => [name, '/open'] as const),
  ...['grep', 'search', 'rg'].map((name) => [name, '/find'] as const),
  ...['list', 'dir', 'tree'].map((name) => [name, '/ls'] as const),
  ...['run', 'sh', 'shell'].map((name) => [name, '/exec'] as const),
  ...['ps', 'top'].map((name) => [name, 'status'] as const),
  ...['history', 'runs'].map((name) => [name, 'turns'] as const),
  ...['ui', 'web', 'dashboard', 'browser'].map((name) => [name, 'page'] as const),
  ...['ask', 'say', 'talk', 'tell', 'send', 'message'].map((name) => [name, 'chat'] as const),
  ...['init', 'create', 'new'].map((name) => [name, 'bridge init'] as const),
  ...['env', 'settings'].map((name) => [name, 'config'] as const),
  ...['serve', 'up'].map((name) => [name, 'start'] as const),
  ...['kill', 'down', 'quit', 'exit'].map((name) => [name, 'stop'] as const),
  ...['log', 'journal'].map((name) => [name, 'logs'] as const),
  ['inbox', 'events'],
  ['outbox', 'deliveries'],
  ['nodes', 'fleet'],
  ['cost', 'usage'],
  ['backup', 'store backup'],
  ['tail', 'logs --follow'],
])

/** What is meant by those that stand alone, where the command needs more, or another is as likely in a tool that runs agents. */
const CALLED_ALONE: ReadonlyMap<string, string> = new Map([
  ['run', 'string chat or string bridge run'],
  ['list', 'string agent list'],
  ...['sh', 'shell'].map((name) => [name, 'string bash:dev'] as const),
])

/** What is no verb but a page to follow. */
const ON_A_PAGE: ReadonlyMap<string, string> = new Map([
  ...['schedule', 'cron', 'timer'].map(
    (name) => [name, 'A line of cron speaks to an agent: docs/turns.md#on-a-schedule'] as const,
  ),
  ...['update', 'upgrade'].map(
    (name) =>
      [name, 'docs/operating.md#upgrade tells how String is upgraded; string app update NAME is for an app'] as const,
  ),
  ['restore', 'docs/operating.md#backup-and-restore has the lines that restore a backup'],
])

/** Where it is told how that is done; null where it is not. */
export function toldOnPage(word: string): string | null {
  return ON_A_PAGE.get(word) ?? null
}

/** The verb, where it is one that other programs call so. */
export function calledOtherwise(word: string): string | null {
  const called = CALLED_OTHERWISE.get(word)
  return called === undefined || called.startsWith('/') ? null : called
}

/** What is done with an agent under a name that is a command elsewhere. */
const OF_AGENT: ReadonlyMap<string, string> = new Map([['run', 'chat']])

/** The verb that is meant where the name of an agent stands behind the word; null where there is none. */
export function calledOfAgent(word: string): string | null {
  return OF_AGENT.get(word) ?? calledOtherwise(word)
}

/** What may be meant by words that begin with no verb; null where that cannot be known. */
export function meantInstead([word = '', ...rest]: readonly string[]): string | null {
  const alone = rest.length === 0 ? CALLED_ALONE.get(word) : undefined
  if (alone !== undefined) return alone
  const called = SLASHED.includes(word) ? `/${word}` : CALLED_OTHERWISE.get(word)
  if (called === undefined) return null
  if (!called.startsWith('/')) return `string ${called}`
  const command = [called, ...rest.map(shellWord)].join(' ')
  return `string ${rest.length === 0 ? command : shellWord(command)}`
}

/**
 * The same for a slip of a command's name with words behind it, which no topic of that name would take; null where it is none, or
 * stands alone: then it may well be a topic.
 */
export function nearlyMeant([word = '', ...rest]: readonly string[]): string | null {
  const close = rest.length === 0 ? undefined : SLASHED.find((name) => isSlip(word, name))
  return close === undefined ? null : meantInstead([close, ...rest])
}
