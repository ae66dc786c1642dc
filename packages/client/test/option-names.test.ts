import { StringClient } from '@string-os/client'
import { describe, expect, it } from 'vitest'

/** As JavaScript passes them: names that no type has seen. */
function misspelt(name: string): object {
  return { [name]: 'x' }
}

describe('an option that there is not', () => {
  const client = new StringClient({ port: 1 })

  it('is refused with the name that was meant, before anything is sent', async () => {
    expect(() => client.turn('hello', misspelt('sesion'))).toThrow(
      new TypeError('turn: unknown option sesion; did you mean session?'),
    )
    expect(() => new StringClient(misspelt('agnet'))).toThrow('did you mean agent?')
    expect(() => client.events(misspelt('afer'))).toThrow('did you mean after?')
    expect(() => client.turns.watch(misspelt('agents'))).toThrow('did you mean agent?')
    const folder = 'exec: unknown option folder; it takes requestId, cwd, via, signal, waitMs, cancelOnLeave'
    await expect(client.exec('main', '/close', misspelt('folder'))).rejects.toThrow(new TypeError(folder))
    await expect(client.exec('main', '/close', misspelt('wait'))).rejects.toThrow('did you mean waitMs?')
    await expect(client.chanflow('', misspelt('CWD'))).rejects.toThrow('did you mean cwd?')
    await expect(client.complete('main', '/', misspelt('sinal'))).rejects.toThrow('did you mean signal?')
    await expect(client.usage(misspelt('since_'))).rejects.toThrow('did you mean since?')
    await expect(client.log(misspelt('levels'))).rejects.toThrow('did you mean level?')
    await expect(client.turns.list(misspelt('sate'))).rejects.toThrow('did you mean state?')
    await expect(client.sessions.cancel('main', misspelt('al'))).rejects.toThrow('did you mean all?')
    await expect(client.agents.register('bob', misspelt('allowedPath'))).rejects.toThrow('did you mean allowedPaths?')
  })
})
