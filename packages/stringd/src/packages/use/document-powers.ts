import { type Failure, fail } from '@string-os/protocol'
import type { ActionFiles, Powers } from '../../action/call/powers.ts'
import type { Base } from '../../library/address.ts'
import type { PageOrigin } from '../../web/admission.ts'

/** A page of our own has no actions; what got into its text by mistake must not reach this machine. */
const NOWHERE: PageOrigin = { url: 'http://string.invalid/', reach: 'public' }

/** Where the caller is, and where its agent lives. */
interface Places {
  readonly cwd: string
  readonly home: string
}

/** The powers of a document that nobody installed: those of a file of the workspace, or of a page from the web. */
export function powersOf(base: Base, files: ActionFiles, places: Places): Powers {
  const { home } = places
  const shared = { listed: [], folder: null, home }
  if (base.kind === 'file') {
    const context = contextOf(base, places)
    const variable = variableIn(context, (name) => noVariables(name, 'A file of the workspace'))
    return { ...shared, kind: 'file', context, variable, beside: base.folder, files, origin: null }
  }
  const variable = (name: string): Failure => noVariables(name, 'A page from the web')
  const origin = base.kind === 'web' ? base.origin : NOWHERE
  return { ...shared, kind: 'page', context: new Map(), variable, beside: null, files: null, origin }
}

/**
 * What every call of a file's action knows: the document in which it stands, where the caller is, and where its agent lives.
 * The same in a package, so that its document does the same before it is installed.
 */
export function contextOf({ file }: Base & { kind: 'file' }, { cwd, home }: Places): Map<string, string> {
  const places = new Map([
    ['CWD', cwd],
    ['STRING_CWD', cwd],
    ['STRING_HOME', home],
  ])
  return file === null ? places : places.set('CURRENT_FILE', file)
}

/** Looks for a name in the context of the call first. */
export function variableIn(context: ReadonlyMap<string, string>, other: Powers['variable']): Powers['variable'] {
  return (name) => {
    const value = context.get(name)
    return value === undefined ? other(name) : { ok: true, value, isPublic: true }
  }
}

function noVariables(name: string, what: string): Failure {
  return fail(
    'ENV_REQUIRED',
    `${what} gets no stored variables: this action needs $${name}`,
    '/install SOURCE makes a package of it, which gets the variables that it lists under env',
  )
}
