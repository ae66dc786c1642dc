import { relative } from 'node:path'
import { isInside } from '../files/workspace.ts'
import type { HubData, HubPackage } from '../hub/hub-data.ts'
import type { Installed } from '../packages/packages.ts'
import { wholeSource } from '../packages/state/package-record.ts'
import { goneFolder, goneLink } from '../packages/use/gone-link.ts'
import type { TopicPackages } from '../packages/use/topic-packages.ts'

function goneText(installed: Installed): string {
  if (goneFolder(installed) !== null) return ', which is gone'
  return goneLink(installed) === null ? '' : `, whose ${installed.record.entry} is gone`
}

/** Apps and tools as the hub pages list them. */
export function packageRows(
  { list, foreign, tools, missing }: TopicPackages,
  home: string,
): Pick<HubData, 'apps' | 'foreign' | 'tools'> {
  const row = (installed: ReturnType<typeof list>[number]): HubPackage => {
    const { local, title, description, linked } = installed.record
    const whole = wholeSource(installed.record)
    const shown = whole.startsWith('/') && isInside(home, whole) ? `~/${relative(home, whole)}` : whole
    const about = [title, description].filter((text) => text !== null).join(': ')
    return {
      name: local,
      about: about === '' ? null : about,
      source: `${linked ? 'linked to' : 'from'} ${shown}${goneText(installed)}`,
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
