// Keeps bookmarks in a JSON file and serves them on 127.0.0.1: node server.mjs [--port N] [--file PATH]
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

const MAX_BODY = 64 * 1024

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4710' }, file: { type: 'string' } },
})
const file = resolve(values.file ?? 'bookmarks.json')
const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { next: 1, bookmarks: [] }

const server = createServer((request, response) => {
  const send = ({ status = 200, type = 'application/json', body }) => {
    response.writeHead(status, { 'Content-Type': type })
    response.end(type === 'application/json' ? JSON.stringify(body) : body)
  }
  answer(request).then(send, (error) => send({ status: 400, body: { error: error.message } }))
})
server.listen(Number(values.port), '127.0.0.1', () => console.log(`Serving on 127.0.0.1:${server.address().port}`))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))

async function answer(request) {
  const url = new URL(request.url, 'http://127.0.0.1')
  const [, id] = /^\/bookmarks\/([^/]+)$/.exec(url.pathname) ?? []
  if (request.method === 'GET' && url.pathname === '/page') return { type: 'text/markdown', body: page() }
  if (request.method === 'GET' && url.pathname === '/bookmarks') return { body: list(url.searchParams.get('tag')) }
  if (request.method === 'POST' && url.pathname === '/bookmarks')
    return { status: 201, body: add(await readJson(request)) }
  if (request.method === 'DELETE' && id !== undefined) return remove(decodeURIComponent(id))
  return { status: 404, body: { error: `There is nothing at ${url.pathname}` } }
}

function list(tag) {
  const bookmarks = state.bookmarks.filter(({ tags }) => !tag || tags.includes(tag))
  return { count: bookmarks.length, bookmarks: bookmarks.map((each) => ({ ...each, tags: each.tags.join(', ') })) }
}

function add({ url, title, tags = '' }) {
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error('url is no address')
  if (typeof title !== 'string' || title.trim() === '') throw new Error('title is missing')
  const names = String(tags)
    .split(',')
    .map((tag) => tag.trim())
  const bookmark = { id: `b${state.next}`, url, title: title.trim(), tags: names.filter((tag) => tag !== '') }
  state.next += 1
  state.bookmarks.push(bookmark)
  save()
  return bookmark
}

function remove(id) {
  const bookmark = state.bookmarks.find((each) => each.id === id)
  if (bookmark === undefined) return { status: 404, body: { error: `There is no bookmark ${id}` } }
  state.bookmarks = state.bookmarks.filter((each) => each !== bookmark)
  save()
  return { body: bookmark }
}

function page() {
  const rows = state.bookmarks.map(({ id, title, url }) => `- [@${id} ${title.replace(/[[\]]/g, '')}](<${url}>)`)
  return ['# Bookmarks', '', ...(rows.length === 0 ? ['None yet.'] : rows), ''].join('\n')
}

async function readJson(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_BODY) throw new Error('The request is too large')
  }
  return JSON.parse(text)
}

function save() {
  writeFileSync(`${file}.tmp`, JSON.stringify(state, null, 2))
  renameSync(`${file}.tmp`, file)
}
