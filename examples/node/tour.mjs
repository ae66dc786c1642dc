// Runs commands, cancels one, hears of an event, reads what a model wrote, and asks an agent.
// node tour.mjs [AGENT]: an agent that has a profile.
import { HttpError, StringClient } from '@string-os/client'
import { autoStart } from '@string-os/string'

const client = new StringClient({ autoStart })

// A command: what it says is text, and as fields in data. One that fails is a result too.
const done = await client.exec('files', "/exec printf 'one\\ntwo\\n'")
console.log(done.ok, done.data.output.split('\n').at(-1), done.data.exit)
const missing = await client.exec('files', '/open ./missing.md', { cwd: process.cwd() })
console.log(missing.ok, missing.code)

// What the daemon refuses is thrown.
await client.exec('not a topic', '/close').catch((error) => {
  if (!(error instanceof HttpError)) throw error
  console.log(error.status, error.message)
  console.log('next:', error.next)
})

// A signal ends a command, with everything that it started.
const stop = new AbortController()
const slow = client.exec('bash:slow', 'sleep 60', { signal: stop.signal })
setTimeout(() => stop.abort(new Error('enough')), 300)
console.log(await slow.catch((error) => error.message))

// Events: all that came after one that was seen. Nothing is missed in between.
const { webhook_url } = await client.webhook.show()
const seen = await post('build 416 passed')
await post('build 417 failed')
for await (const event of client.events({ after: seen })) {
  console.log(event.source, event.text)
  break
}

// A model's answer: its blocks are run, the rest is what it said.
const { rest, blocks } = await client.chanflow('I look.\n<𝒞=string:notes>/close</𝒞>\n')
for (const { topic, ok } of blocks) console.log(rest.trim(), topic, ok)

// A turn: the text comes in pieces, the result in the end.
for (const agent of process.argv.slice(2, 3)) {
  for await (const event of new StringClient({ agent, autoStart }).turn('hello', { from: 'ada' })) {
    if (event.type === 'partial') console.log('partial:', event.text)
    if (event.type === 'result') console.log('reply:', event.ok ? event.reply : event.error)
  }
}

async function post(text) {
  const answer = await fetch(webhook_url, { method: 'POST', body: text })
  return (await answer.json()).event_id
}
