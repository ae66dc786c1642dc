import { appOf, type Failure } from '@string-os/protocol'
import { notInstalled } from '../../reading/no-document.ts'
import type { CommandContext } from '../core/context.ts'

/** Variables of an app topic belong to the package of that name: where there is none, nobody would ever get them. */
export function withoutOwner({ topic, packages }: CommandContext): Failure | null {
  const name = appOf(topic)?.name
  const installed = packages.list().map(({ record }) => record)
  if (name === undefined || installed.some(({ local }) => local === name)) return null
  return notInstalled(topic, installed)
}
