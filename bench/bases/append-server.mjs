// Appends every body to a file and answers when it is synced; what comes meanwhile goes into the next sync together.
import { fdatasync, openSync, write } from 'node:fs'
import { createServer } from 'node:http'

const { headers, text, file } = JSON.parse(process.argv[2])
const fd = openSync(file, 'a')
let waiting = []
let writing = false

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    waiting.push({ line: `${JSON.stringify({ at: Date.now(), text: Buffer.concat(chunks).toString() })}\n`, response })
    if (!writing) flush()
  })
})
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

function flush() {
  writing = waiting.length > 0
  if (!writing) return
  const batch = waiting
  waiting = []
  write(fd, batch.map(({ line }) => line).join(''), () => fdatasync(fd, () => answer(batch)))
}

function answer(batch) {
  for (const { response } of batch) {
    response.writeHead(202, { ...headers, 'Content-Length': Buffer.byteLength(text) })
    response.end(text)
  }
  flush()
}
