// Stores every body with one INSERT and answers when the database has it.
import { createServer } from 'node:http'
import pg from 'pg'

const { headers, text, url, connections } = JSON.parse(process.argv[2])
const database =
  connections === 1
    ? new pg.Client({ connectionString: url })
    : new pg.Pool({ connectionString: url, max: connections, min: connections })
const INSERT = {
  name: 'insert',
  text: 'INSERT INTO bare_events (agent_id, id, received_at, source, text, hops) VALUES ($1, $2, $3, $4, $5, $6)',
}
let count = 0
await database.connect()

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    count += 1
    const id = `evt_${String(count).padStart(26, '0')}`
    const values = ['default', id, new Date().toISOString(), 'webhook', Buffer.concat(chunks), 0]
    void database.query({ ...INSERT, values }).then(() => {
      response.writeHead(202, { ...headers, 'Content-Length': Buffer.byteLength(text) })
      response.end(text)
    })
  })
})
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
