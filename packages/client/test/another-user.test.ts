import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ForeignDaemonError, StringClient } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'

const SERVER = `
const { createServer } = require('node:http')
const server = createServer((request, response) => {
  process.stdout.write('asked ' + request.url + '\\n')
  response.end('{"ok":true,"agents":1,"sessions":0}')
})
server.listen(0, '127.0.0.1', () => process.stdout.write('port ' + server.address().port + '\\n'))`

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('SKIPPED: only root can start a server as another user')

describe.skipIf(!isRoot)('a server of another user on the port', () => {
  it('is sent nothing at all, whatever it claims to be', async () => {
    const child = spawn(process.execPath, ['-e', SERVER], {
      uid: 65_534,
      gid: 65_534,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    await once(child.stdout, 'data')
    const client = new StringClient({ port: Number(/port (\d+)/.exec(said)?.[1]) })
    await expect(client.exec('main', '/exec secret')).rejects.toThrow(ForeignDaemonError)
    await expect(client.health()).rejects.toThrow(/served by another user \(uid 65534\)/)
    const keyed = new StringClient({ port: client.port, key: 'secret' })
    await expect(keyed.shutdown()).rejects.toThrow(ForeignDaemonError)
    expect(said).not.toContain('asked')
  })
})
