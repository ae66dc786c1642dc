import { createServer } from 'node:http'

/** The least a `node:http` server does to read a JSON body and answer it in one write. */
export function serve(headers, answer) {
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const text = answer(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) })
      response.end(text)
    })
  })
  // As the daemon: a side that waits for its turn keeps its connection.
  server.keepAliveTimeout = 65_000
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
}
