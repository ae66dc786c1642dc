import { join } from 'node:path'
import type { Failure } from '@string-os/protocol'
import type { Place, Workspace } from './workspace.ts'

/** A target that a document in `folder` names. Markdown writes a blank in it as %20. */
export function locateBeside(target: string, folder: string, workspace: Workspace): Place | Failure {
  const found = workspace.locate(besides(target, folder))
  if (!found.ok || found.exists) return found
  const decoded = decode(target)
  const other = decoded === target ? found : workspace.locate(besides(decoded, folder))
  return other.ok && other.exists ? other : found
}

function besides(target: string, folder: string): string {
  return /^[/~]/.test(target) ? target : join(folder, target)
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return target
  }
}
