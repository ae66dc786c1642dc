// The HTTP side of the daemon with one small route. It looks whose connections are, or serves everybody.
import { createHttpServer } from '../../packages/stringd/src/http/serve/server.ts'
import { openPeers } from '../../packages/stringd/src/peers/open-peers.ts'
import { EVERYONE } from '../../packages/stringd/src/peers/peers.ts'

const { looks, key } = JSON.parse(process.argv[2])
const log = { info() {}, warn() {}, error() {} }
const route = { method: 'GET', path: '/health', expects: null, handle: ({ response }) => response.end('{"ok":true}') }
const peers = looks ? openPeers({ key, allowUids: [], log }) : EVERYONE
const { server } = createHttpServer([route], Promise.resolve({ log }), { peers })
server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 }, () => process.stdout.write(`${server.address().port}\n`))
