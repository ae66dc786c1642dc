import { StringClient } from '@string-os/client'
import { autoStart } from '@string-os/string'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { stringPlace } from '../support/cli.ts'

/** This process as one whose user has a String of its own. */
function inPlace(): ReturnType<typeof stringPlace> {
  const place = stringPlace()
  for (const name of ['HOME', 'STRING_HOME', 'STRING_PORT']) vi.stubEnv(name, place.env[name])
  onTestFinished(() => void vi.unstubAllEnvs())
  return place
}

describe('new StringClient({ autoStart })', () => {
  it('starts and finds the daemon of its own data folder', async () => {
    const place = inPlace()
    const client = new StringClient({ autoStart })
    expect((await client.exec('main', '/info')).ok).toBe(true)
    expect(client.port).toBe(place.daemonPort())
  })

  it('runs the next command although the daemon was just told to stop', async () => {
    inPlace()
    const client = new StringClient({ autoStart })
    for (let round = 0; round < 5; round += 1) {
      expect((await client.exec('main', '/info')).ok).toBe(true)
      await client.shutdown()
    }
    expect((await client.exec('main', '/info')).ok).toBe(true)
  })

  it('events end with the signal, given alone or as an option', async () => {
    inPlace()
    const client = new StringClient({ autoStart })
    for (const given of ['alone', 'option'] as const) {
      const over = new AbortController()
      const events = client.events(given === 'alone' ? over.signal : { signal: over.signal })
      const next = events.next()
      setTimeout(() => over.abort(), 50)
      expect(await next).toEqual({ done: true, value: undefined })
    }
  })
})
