import { appOf, type Failure, fail, nearest, type Topic } from '@string-os/protocol'

const SHOWN_APPS = 3

/** Why a topic shows nothing, and what opens something. `apps`: what is installed instead of its own; null: that is. `asked`: what for. */
export function nothingOpen(topic: Topic, apps: readonly string[] | null, asked: string): Failure {
  const { canonical, type } = topic
  if (type === 'app' && apps !== null) return notInstalled(topic, apps)
  const hint = type === 'app' ? `/open ${canonical} opens it` : '/open TARGET opens one'
  return fail('NO_DOCUMENT', 'No document is open in this topic', hint, ...inTopicOfApp(asked, apps ?? []))
}

/** Whoever has opened an app from here calls its actions elsewhere. */
function inTopicOfApp(asked: string, apps: readonly string[]): string[] {
  if (!asked.startsWith('/act') || apps.length === 0) return []
  const more = apps.length > SHOWN_APPS ? ', …' : ''
  const topics = apps.slice(0, SHOWN_APPS).map((name) => `app:${name}`)
  return [`The actions of an app are called in its own topic: ${topics.join(', ')}${more}`]
}

/** Says what to do about an app topic without its app. */
export function notInstalled(topic: Topic, apps: readonly string[]): Failure {
  const name = appOf(topic)?.name ?? ''
  const meant = nearest(name, apps)
  return fail(
    'NOT_FOUND',
    `No app is installed as ${name}`,
    ...(meant === null ? [] : [`Did you mean app:${meant}?`]),
    `/install --as ${name} SOURCE installs one under this name; SOURCE is its folder, archive, URL or git repository`,
    '/open app lists what is installed',
  )
}
