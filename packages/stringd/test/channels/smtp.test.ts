import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import type { SmtpChannel } from '../../src/channels/channel.ts'
import type { Tried } from '../../src/channels/send.ts'
import { smtpSender } from '../../src/channels/smtp.ts'
import { smtpError, startMailServer } from './mail-server.ts'

const MESSAGE = {
  id: 'dlv_1',
  target: 'manager@company.com',
  text: 'Subject: Q1 report\n\nPlease review.\n.\nBcc: evil@example.org\n',
  createdAt: new Date('2026-03-19T05:30:00Z'),
}

function send(url: string, message = MESSAGE, signal = new AbortController().signal): Promise<Tried> {
  const channel: SmtpChannel = { type: 'smtp', url: new URL(url), from: 'agent@company.com', allow: [], secrets: [] }
  return smtpSender(channel)(message, signal)
}

/** Something that listens and is no mail server. */
async function startStranger(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return `smtp://127.0.0.1:${port}`
}

describe('mail', () => {
  it('reaches a real server with sender, recipient, subject, text and a stable id', async () => {
    const { port, mails } = await startMailServer()
    expect(await send(`smtp://127.0.0.1:${port}`)).toEqual({ kind: 'sent' })
    expect(await send(`smtp://127.0.0.1:${port}`)).toEqual({ kind: 'sent' })
    const [first, second] = mails
    expect(first).toMatchObject({ from: 'agent@company.com', to: ['manager@company.com'] })
    const [head = '', body = ''] = (first?.source ?? '').split(/\r?\n\r?\n(.*)/s)
    expect(head).toContain('Subject: Q1 report')
    expect(head).toContain('Message-ID: <dlv_1@company.com>')
    expect(head).toContain('Date: Thu, 19 Mar 2026 05:30:00 +0000')
    expect(head).not.toMatch(/^bcc:/im)
    expect(body).toContain('Please review.')
    expect(body).toContain('Bcc: evil@example.org')
    expect(/Message-ID: (\S*)/.exec(second?.source ?? '')?.[1]).toBe('<dlv_1@company.com>')
  })

  it('carries any text, whatever its lines begin with', async () => {
    const { port, mails } = await startMailServer()
    const text = '</𝒞>\n.\n..\nFrom me\nQUIT\nünïcödé 🎉'
    expect(await send(`smtp://127.0.0.1:${port}`, { ...MESSAGE, text })).toEqual({ kind: 'sent' })
    const [head = '', body = ''] = (mails[0]?.source ?? '').split(/\r?\n\r?\n(.*)/s)
    const decoded = /base64/i.test(head) ? Buffer.from(body, 'base64').toString('utf8') : fromQuotedPrintable(body)
    expect(decoded.replaceAll('\r\n', '\n').trimEnd()).toBe(text)
  })

  it('logs in with what the URL holds', async () => {
    const logins: unknown[] = []
    const { port } = await startMailServer({
      authOptional: false,
      onAuth({ username, password }, _session, done) {
        logins.push([username, password])
        done(null, { user: username })
      },
    })
    expect(await send(`smtp://u%40x:p%20w@127.0.0.1:${port}`)).toEqual({ kind: 'sent' })
    expect(logins).toEqual([['u@x', 'p w']])
  })

  it('that the server refuses for good is refused, with its reason', async () => {
    const { port } = await startMailServer({
      onRcptTo: (_address, _session, done) => done(smtpError(550, 'No such user here')),
    })
    expect(await send(`smtp://127.0.0.1:${port}`)).toEqual({ kind: 'refused', reason: '550 No such user here' })
  })

  it('that the server cannot take now may be taken later', async () => {
    const { port } = await startMailServer({
      onMailFrom: (_address, _session, done) => done(smtpError(451, 'Try again')),
    })
    expect(await send(`smtp://127.0.0.1:${port}`)).toEqual({ kind: 'later', reason: '451 Try again' })
  })

  it('shows no password in a reason, even where the server quotes it', async () => {
    const { port } = await startMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        const plain = Buffer.from(`\0${username}\0${password}`).toString('base64')
        done(smtpError(535, `no: ${password} ${plain}`))
      },
    })
    const tried = await send(`smtp://user:hunter2%21@127.0.0.1:${port}`)
    expect(tried).toEqual({ kind: 'refused', reason: '535 no: ••• •••' })
  })

  it('is not given to a server whose certificate nobody vouches for', async () => {
    const { port, mails } = await startMailServer({ secure: true, logger: false })
    const tried = await send(`smtps://user:hunter2@127.0.0.1:${port}`)
    expect(tried).toEqual({ kind: 'later', reason: 'the certificate of the server is not trusted' })
    expect(mails).toEqual([])
  })

  it('waits for a server that is not there', async () => {
    const reason = 'the server refused the connection'
    expect(await send(`smtp://127.0.0.1:${await freePort()}`)).toEqual({ kind: 'later', reason })
  })

  it('ends with its signal, however silent the server is', async () => {
    const stop = new AbortController()
    const url = await startStranger(() => stop.abort('the daemon stopped'))
    expect(await send(url, MESSAGE, stop.signal)).toEqual({ kind: 'later', reason: 'the daemon stopped' })
    expect((await send(url, MESSAGE, stop.signal)).kind).toBe('later')
  })

  it('for something that is no mail server is tried again later', async () => {
    const url = await startStranger((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n<html>'))
    expect((await send(url)).kind).toBe('later')
    const mute = await startStranger((socket) => socket.destroy())
    expect((await send(mute)).kind).toBe('later')
  })
})

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
