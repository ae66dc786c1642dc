import { relative } from 'node:path'
import { isInside } from '../files/workspace.ts'
import type { HubData, HubPackage } from '../hub/hub-data.ts'
import type { TopicPackages } from '../packages/use/topic-packages.ts'

/** Apps and tools as the hub pages list them. */
export function packageRows(
  { list, foreign, tools, missing }: TopicPackages,
  home: string,
): Pick<HubData, 'apps' | 'foreign' | 'tools'> {
  const row = (installed: ReturnType<typeof list>[number]): HubPackage => {
    const { local, title, description, source, again, linked } = installed.record
    // Whoever reads it may be in another folder than whoever installed it.
    const whole = again.startsWith('/') ? (isInside(home, again) ? `~/${relative(home, again)}` : again) : source
    const about = [title, description].filter((text) => text !== null).join(': ')
    return {
      name: local,
      about: about === '' ? null : about,
      source: linked ? `linked to ${whole}` : `from ${whole}`,
      missing: missing(installed).map(({ name }) => `$${name}`),
    }
  }
  const apps = list().filter(({ record }) => record.type === 'app')
  return {
    apps: apps.map(row),
    foreign: foreign(),
    tools: tools().map((tool) =>
      tool.kind === 'installed'
        ? row(tool.installed)
        : { name: tool.name, about: null, source: tool.file, missing: [] },
    ),
  }
}
