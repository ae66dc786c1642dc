import { appOf, type Failure, fail, type Topic } from '@string-os/protocol'

/** Why a topic shows nothing, and what opens something. */
export function nothingOpen(topic: Topic, isInstalled: boolean): Failure {
  const { canonical, type } = topic
  if (type === 'app' && !isInstalled) return notInstalled(topic)
  const hint = type === 'app' ? `/open ${canonical} opens it` : '/open TARGET opens one'
  return fail('NO_DOCUMENT', 'No document is open in this topic', hint)
}

/** Says what to do about an app topic without its app. */
export function notInstalled(topic: Topic): Failure {
  return fail(
    'NOT_FOUND',
    `No app is installed as ${appOf(topic)?.name ?? ''}`,
    '/open app lists what is installed, /install SOURCE installs',
  )
}
