import type { DocumentMeta } from '@string-os/protocol'
import type { ExecOutcome } from '../../runtime/exec-call.ts'

export type TopicDocument = (ExecOutcome & { kind: 'done' })['document']

/** The document that a topic shows, as clients see it. Beyond the protocol's fields, only what there is. */
export function documentMeta(document: TopicDocument): DocumentMeta | null {
  if (document === null) return null
  const { address, uri, title, facts, appPath } = document
  const { actions, menus, warnings, page, pages } = facts
  return {
    uri,
    title,
    current_block: address.block === null ? null : `#${address.block}`,
    ...(appPath === null ? {} : { app_path: appPath }),
    ...(actions.length === 0 ? {} : { actions }),
    ...(menus.length === 0 ? {} : { menus }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(pages === 1 ? {} : { page, pages }),
  }
}
