import type { SessionShown } from '@string-os/protocol'
import type { Answer } from '../../data/answer.ts'
import { topics } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { type Menu, menusOf } from './exec-data.ts'

export type Shortcut = Menu['entries'][number]

/** Menus that are asked for beside those that are short enough to come at once. */
const MOST_MENUS = 6

/** The shortcuts of the open document and of its menus; none where nothing is open. */
export function useShortcuts(agent: string, topic: string, view: SessionShown | null): readonly Shortcut[] {
  const meta = view?.meta ?? null
  const opened = meta === null ? 'nothing' : `${meta.uri} ${meta.current_block} ${meta.page} ${view?.text.length}`
  const loaded = useLoaded(
    `shortcuts ${agent} ${topic} ${opened}`,
    () => (meta === null ? Promise.resolve<Answer<Shortcut[]>>({ ok: true, value: [] }) : load(agent, topic)),
    () => false,
  )
  return loaded.value ?? []
}

async function load(agent: string, topic: string): Promise<Answer<Shortcut[]>> {
  const answer = await topics.exec(agent, topic, '/nav')
  if (!answer.ok) return answer
  const menus = menusOf(answer.value.data)
  const folded = menus.filter(({ entries, count }) => entries.length < count).slice(0, MOST_MENUS)
  const unfolded = await Promise.all(folded.map(({ name }) => topics.exec(agent, topic, `/nav ${name}`)))
  const more = unfolded.flatMap((each) => (each.ok ? menusOf(each.value.data) : []))
  const entries = [...menus.filter((menu) => !folded.includes(menu)), ...more].flatMap((menu) => menu.entries)
  return { ok: true, value: [...new Map(entries.map((entry) => [entry.id, entry])).values()] }
}
