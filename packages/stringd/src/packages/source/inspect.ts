import { type Failure, visibleLine } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import type { PackageType } from '../state/package-record.ts'
import { type About, localName, readAbout } from './about.ts'
import type { PackageSource } from './package-files.ts'
import { type ParseMarkdown, type Plan, readPlan } from './plan.ts'
import { shownActions } from './shown-actions.ts'

/** What was typed to install it, but for the flags that say in which place. */
export interface AskedFor {
  readonly source: string
  readonly flags: readonly string[]
}

export interface InstallOptions {
  readonly asked: AskedFor
  readonly as: string | undefined
  readonly type: PackageType | undefined
  /** Takes the place of another package of that name. */
  readonly replace: boolean
}

/** All that is known of a package before it is installed. */
export interface Inspected {
  readonly ok: true
  readonly local: string
  readonly type: PackageType
  readonly about: About
  readonly plan: Plan
}

/** Reads and checks everything that a package is and says, and finds out what it may do. */
export async function inspect(
  source: PackageSource,
  { as, type }: Pick<InstallOptions, 'as' | 'type'>,
  parse: ParseMarkdown,
): Promise<Inspected | Failure> {
  const parsed = await parse(source.text)
  if (!parsed.ok) return parsed
  const about = readAbout(parsed.document, await shownActions(source, parsed.document, parse))
  if (!about.ok) return withLine(about, parsed.document, source)
  const local = localName(as, about, source.name)
  if (!local.ok) return local
  const plan = await readPlan(source, about.needs, parse)
  return { ok: true, local: local.name, type: type ?? about.type ?? 'app', about, plan }
}

/** Of a page that is only linked nothing is checked, which would name the line. */
function withLine(failure: Failure, { frontMatter: { unread } }: Document, { files, entry }: PackageSource): Failure {
  return files.size > 0 || unread === undefined
    ? failure
    : { ...failure, system: `${visibleLine(entry)}:${unread.line}: ${failure.system}` }
}
