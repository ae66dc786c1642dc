import type { ExecResult } from '@string-os/client'

/** An answer that broke off says by itself what that means. */
export function explainedResult(result: ExecResult): ExecResult {
  if (result.code !== 'STREAM_INCOMPLETE') return result
  const note = 'ERROR(STREAM_INCOMPLETE): The daemon went away before the answer was complete; the command may have run'
  return { ...result, content: result.content === '' ? note : `${note}\n---\n${result.content}` }
}
