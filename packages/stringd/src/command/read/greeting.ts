import { type Result, replyBody } from '@string-os/protocol'
import { isSameAddress } from '../../library/address.ts'
import type { Loaded } from '../../library/library.ts'
import { runAction } from '../act/run-action.ts'
import type { CommandContext } from '../core/context.ts'
import { stay } from './stay.ts'

/** What an installed app says when its document is opened or refreshed: what it lacks, and what its default action prints. */
export async function greet(shown: Result, loaded: Loaded, context: CommandContext): Promise<Result> {
  const { own } = context.packages
  if (!shown.ok || own === null || own.record.linked || !isEntry(context)) return shown
  const missing = context.packages.missing(own).map(({ name, description }) => {
    const about = description === null ? '' : ` (${description})`
    return `Not set: $${name}${about} · /set $${name} = "value"`
  })
  const output = await runDefault(own.record.default, loaded, context)
  const said = output === null || (output.code === 'ENV_REQUIRED' && missing.length > 0) ? [] : [textOf(output)]
  const lines = [...missing, ...said].filter((text) => text !== '')
  if (lines.length === 0) return shown
  return { ...shown, content: `${(shown.content ?? '').replace(/\n+$/, '')}\n\n---\n${lines.join('\n')}` }
}

function isEntry({ session, reader }: CommandContext): boolean {
  const entry = reader.entry()
  return session.document !== null && 'kind' in entry && isSameAddress(session.document.address, entry)
}

function runDefault(id: string | null, { index }: Loaded, context: CommandContext): Promise<Result> | null {
  const action = id === null ? undefined : index.actions.get(id)
  if (action === undefined) return null
  const call = { action, line: '', powers: context.powers(action.base) }
  return stay(context.session, () => runAction(call, context))
}

function textOf(result: Result): string {
  return result.ok ? (result.content ?? result.system ?? '') : replyBody(result)
}
