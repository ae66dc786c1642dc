import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call, exec } from '../support/http.ts'
import { startStringd } from './support/stringd.ts'

/** Children of a process, living or not yet buried. */
function childrenOf(pid: number | undefined): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(pid)
    } catch {
      // No process, or gone.
      return false
    }
  })
}

describe('R15: after all topics are closed', () => {
  it('the daemon has no child left, not even a zombie', async () => {
    const { port, child, end } = await startStringd({ env: { STRING_EXEC_TIMEOUT_MS: '400' } })
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    const scripts = [
      'true',
      'exit 3',
      'kill -9 $$',
      "trap '' TERM; sleep 300",
      '(setsid sleep 300 &) ; true',
      'sleep 300 & true',
    ]
    await Promise.all(scripts.map((script, index) => exec(port, `/exec ${script}`, { topic: `t${index}` })))
    const shells = ['true', 'kill -9 $$', 'sleep 300 & true', 'exec 0<&- 1>&- 2>&-']
    await Promise.all(shells.map((script, index) => exec(port, script, { topic: `bash:b${index}` })))
    for (const topic of [...scripts.map((_, index) => `t${index}`), ...shells.map((_, index) => `bash%3Ab${index}`)])
      await call(port, 'DELETE', `/sessions/default/${topic}`)
    await expect.poll(() => childrenOf(child.pid)).toEqual([])
    expect(await end()).toBe(0)
  })
})
