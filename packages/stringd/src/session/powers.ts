import { type Failure, fail } from '@string-os/protocol'
import type { ActionFiles, Powers } from '../action/powers.ts'
import type { Base } from '../library/address.ts'
import type { PageOrigin } from '../web/admission.ts'

/** A page of our own has no actions; what got into its text by mistake must not reach this machine. */
const NOWHERE: PageOrigin = { url: 'http://string.invalid/', reach: 'public' }

/** The powers of a document that nobody installed: those of a file of the workspace, or of a page from the web. */
export function powersOf(base: Base, files: ActionFiles): Powers {
  if (base.kind === 'file') {
    const variable = (name: string): Failure => noVariables(name, 'A file of the workspace')
    return { kind: 'file', variable, files, origin: null }
  }
  const variable = (name: string): Failure => noVariables(name, 'A page from the web')
  return { kind: 'page', variable, files: null, origin: base.kind === 'web' ? base.origin : NOWHERE }
}

function noVariables(name: string, what: string): Failure {
  return fail(
    'ENV_REQUIRED',
    `${what} gets no stored variables: this action needs $${name}`,
    '/install SOURCE makes a package of it, which gets the variables that it lists under env',
  )
}
