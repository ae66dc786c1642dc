import { HUBS } from '@string-os/protocol'
import type { Loaded } from '../../library/library.ts'
import { parseTarget, splitBlock } from '../../library/target.ts'
import type { CommandContext } from '../core/context.ts'
import { type Asked, type Candidate, type CandidateSource, candidate, label } from './candidates.ts'
import { paths } from './paths.ts'

/** What a command may be about: `#block`, `@shortcut`, `path`, `path#block`. */
export const targets: CandidateSource = async ({ word, context }) => {
  if (word.startsWith('@')) return shortcuts(context)
  if (word.startsWith('#')) return blocksOf('', await context.reader.atHand())
  const { path, block } = splitBlock(word)
  if (block !== null) return blocksOf(path, await fileAt(path, context))
  const own = word === '' ? [...blocksOf('', await context.reader.atHand()), ...(await shortcuts(context))] : []
  return [...paths({ word, context }), ...own]
}

/** The same, where the open document leads, and the topics that `/open` goes to. What is begun is looked for here first. */
export const openable: CandidateSource = async (asked) => {
  const led = await links(asked)
  const here = await targets(asked)
  const isHere = new Set(here.map(({ value }) => value))
  const both = led.filter(({ value }) => isHere.has(value))
  const all = asked.word === '' ? [...led, ...here] : [...both, ...here, ...led]
  const values = new Set<string>()
  // What a document leads to may stand in the folder, too.
  return [...all, ...topics(asked)].filter(({ value }) => !values.has(value) && values.add(value))
}

/** Targets as the reader sees them. An address on the web is seen as a shortcut, unless it is what is being typed. */
async function links({ word, context }: Asked): Promise<readonly Candidate[]> {
  const loaded = await context.reader.atHand()
  if (loaded === null) return []
  const { index, page } = loaded
  const labels = new Map(page.document.links.toReversed().map((link) => [link.target, link.label]))
  const paths = [...index.targets.keys()].filter((target) => parseTarget(target).kind === 'path')
  const addresses = word === '' ? [] : [...index.shortcuts.values()].map(({ target }) => target).filter(isWeb)
  return [...paths, ...addresses].map((target) => candidate(target, 'value', label(labels.get(target) ?? '')))
}

function isWeb(target: string): boolean {
  return parseTarget(target).kind === 'web'
}

function topics({ context: { packages, sessions } }: Asked): readonly Candidate[] {
  const apps = packages.list().filter(({ record }) => record.type === 'app')
  return [
    ...HUBS.map((hub) => candidate(hub, 'topic', 'hub')),
    ...apps.map(({ record }) => candidate(`app:${record.local}`, 'topic', 'app')),
    ...sessions()
      .filter(({ topic }) => topic.type === 'bash')
      .map(({ topic }) => candidate(topic.canonical, 'topic', 'shell')),
  ]
}

/** Blocks by their names, then headings by their slugs. */
function blocksOf(path: string, loaded: Loaded | null): readonly Candidate[] {
  if (loaded === null) return []
  const { blocks, sections } = loaded.page.document
  const marked = blocks.map(({ id }) => candidate(`${path}#${id}`, 'block'))
  const names = new Set(blocks.map(({ id }) => id))
  const headings = sections
    .filter(({ slug }) => !names.has(slug))
    .map(({ slug, title }) => candidate(`${path}#${slug}`, 'block', label(title)))
  return [...marked, ...headings]
}

async function fileAt(path: string, { reader }: CommandContext): Promise<Loaded | null> {
  const address = await reader.resolve(path)
  if (!address.ok || address.kind !== 'file') return null
  const loaded = await reader.load(address, path)
  return loaded.ok ? loaded : null
}

/** Those of the page, then those of its menus; a menu on the web is not asked for. */
async function shortcuts({ reader }: CommandContext): Promise<readonly Candidate[]> {
  const loaded = await reader.atHand()
  if (loaded === null) return []
  const own = [...loaded.index.shortcuts.values()].map((each) => shortcut(each.id, each.label))
  const menus = [...loaded.index.menus.values()].filter(({ base }) => base.kind === 'file')
  for (const menu of menus) {
    const found = await reader.menu(menu)
    if (found.ok) own.push(...found.entries.map((entry) => shortcut(`${menu.name}.${entry.id}`, entry.label)))
  }
  return own
}

function shortcut(id: string, name: string): Candidate {
  return candidate(`@${id}`, 'shortcut', label(name))
}

/** The menus of the open document. */
export const menus: CandidateSource = async ({ context: { reader } }) => {
  const names = [...((await reader.atHand())?.index.menus.keys() ?? []), 'page', 'scaffold']
  return names.map((name) => candidate(name, 'menu'))
}
