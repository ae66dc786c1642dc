import { appOf, type Failure, fail, nearest, type Topic } from '@string-os/protocol'

/** Why a topic shows nothing, and what opens something. `apps`: what is installed instead of its own; null: that is. */
export function nothingOpen(topic: Topic, apps: readonly string[] | null): Failure {
  const { canonical, type } = topic
  if (type === 'app' && apps !== null) return notInstalled(topic, apps)
  const hint = type === 'app' ? `/open ${canonical} opens it` : '/open TARGET opens one'
  return fail('NO_DOCUMENT', 'No document is open in this topic', hint)
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
