import { runTool, type ToolEnd } from '../run-tool.ts'

export const UNIT_NAME = 'string.service'

/** Whether there is a systemd that runs units of this user, and why not. */
export type UserSystemd =
  | { readonly kind: 'there' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'silent'; readonly reason: string }

const START_MS = 30_000

export function systemctl(...args: string[]): Promise<ToolEnd> {
  return runTool('systemctl', ['--user', '--no-pager', ...args], { limitMs: START_MS })
}

export async function userSystemd(): Promise<UserSystemd> {
  const asked = await systemctl('show-environment')
  if (asked.ok) return { kind: 'there' }
  return asked.isMissing ? { kind: 'missing' } : { kind: 'silent', reason: asked.reason }
}

/** `active`, `failed`, `inactive`…, and the process that it has. */
export async function unitState(): Promise<{ state: string; pid: number; isEnabled: boolean }> {
  const shown = await systemctl('show', UNIT_NAME, '--property=ActiveState,MainPID,UnitFileState')
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(shown.output)?.[1] ?? ''
  return {
    state: value('ActiveState') || 'unknown',
    pid: Number(value('MainPID') || 0),
    isEnabled: value('UnitFileState') === 'enabled',
  }
}
