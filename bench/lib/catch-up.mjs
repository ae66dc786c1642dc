import { request } from 'node:http'

/** Reads the stream of `default` from an event on, until the one that is last has come. */
export function catchUp(port, from, last) {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Agent-Id': 'default', 'Last-Event-ID': from }
    const outgoing = request({ host: '127.0.0.1', port, path: '/events/stream', headers, agent: false }, (response) => {
      let tail = ''
      response.setEncoding('utf8').on('data', (text) => {
        tail = (tail + text).slice(-2 * text.length)
        if (!tail.includes(last)) return
        outgoing.destroy()
        resolve()
      })
      response.on('end', () => reject(new Error('The stream of events ended')))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
