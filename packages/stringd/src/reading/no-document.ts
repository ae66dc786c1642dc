import { appOf, type Failure, fail, nearest, type Topic } from '@string-os/protocol'
import type { PackageRecord } from '../packages/state/package-record.ts'

const SHOWN_APPS = 3

type InstalledNames = readonly Pick<PackageRecord, 'local' | 'type'>[]

/** Why a topic shows nothing, and what opens something. `installed`: what there is instead of its own; null: that is. `asked`: what for. */
export function nothingOpen(topic: Topic, installed: InstalledNames | null, asked: string): Failure {
  const { canonical, type } = topic
  if (type === 'app' && installed !== null) return notInstalled(topic, installed)
  const hint = type === 'app' ? `/open ${canonical} opens it` : '/open TARGET opens one'
  return fail('NO_DOCUMENT', 'No document is open in this topic', hint, ...inTopicOfApp(asked, appsOf(installed ?? [])))
}

/** Whoever has opened an app from here calls its actions elsewhere. */
function inTopicOfApp(asked: string, apps: readonly string[]): string[] {
  if (!asked.startsWith('/act') || apps.length === 0) return []
  const more = apps.length > SHOWN_APPS ? ', …' : ''
  const topics = apps.slice(0, SHOWN_APPS).map((name) => `app:${name}`)
  return [`The actions of an app are called in its own topic: ${topics.join(', ')}${more}`]
}

/** Says what to do about an app topic without its app. */
export function notInstalled(topic: Topic, installed: InstalledNames): Failure {
  const name = appOf(topic)?.name ?? ''
  const isTool = installed.some(({ local, type }) => local === name && type === 'tool')
  if (isTool) return fail('NOT_FOUND', `${name} is a tool, not an app`, `/tool:${name} --help tells how it is called`)
  const meant = nearest(name, appsOf(installed))
  return fail(
    'NOT_FOUND',
    `No app is installed as ${name}`,
    ...(meant === null ? [] : [`Did you mean app:${meant}?`]),
    `/install --as ${name} SOURCE installs one under this name; SOURCE is its folder, archive, URL or git repository`,
    '/open app lists what is installed',
  )
}

function appsOf(installed: InstalledNames): string[] {
  return installed.flatMap(({ local, type }) => (type === 'app' ? [local] : []))
}
