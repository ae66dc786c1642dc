#!/usr/bin/env node
// The agent in the pictures of docs/page: it says its part, which depends on what it is asked.
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

const REVIEW = `The change is sound. Two things are **risky**:

1. \`#lead\` keeps the lock while the stream is closed. A tab that is *frozen* would hold it; see [Web Locks](https://www.w3.org/TR/web-locks/).
2. \`follow\` opens the stream again for every turn:

\`\`\`ts
follow(turns: readonly string[]): void {
  if (turns.join() === this.#follow.join()) return
  this.open()
}
\`\`\`

| case | before | after |
|---|---|---|
| eight tabs | two hang | all live |
| leader closed | silence | replaced within 1 s |

> It says what to look at, never what is there.

I would merge it once the second is measured.`

const REPORT = `I read the log of the night first. Between 02:10 and 02:40 the queue of \`bash:build\` was full eleven times, always behind the same command.

- \`npm ci\` waits for the registry, with no limit of its own
- everything behind it is answered \`QUEUE_TIMEOUT\` after two minutes
- the third attempt gets through, so that nobody has noticed

The smallest change is a time limit for `

const say = (object) => process.stdout.write(`${JSON.stringify(object)}\n`)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const read = async () => JSON.parse((await lines.next()).value)
const { message } = await read()
const usage = { input_tokens: 18_220, output_tokens: 811, cost_usd: 0.0712 }

if (message.startsWith('Why')) {
  for (const word of REPORT.split(/(?<= )/)) {
    say({ type: 'partial', text: word })
    await pause(4)
  }
  await pause(600_000)
} else if (message.startsWith('Clean') || message.startsWith('Publish')) {
  const command = message.startsWith('Clean') ? 'rm -rf build/ && npm run build' : 'npm publish --access public'
  say({ type: 'permission_request', request_id: 'r1', tool_name: 'shell', input: { command } })
  const { behavior } = await read()
  say({ type: 'result', text: behavior === 'allow' ? 'Done, the build is fresh.' : 'Then I leave it as it is.', usage })
} else if (message.startsWith('Fetch')) say({ type: 'error', message: 'reports.example.com answered 503 three times' })
else if (message.startsWith('Look')) {
  const topic = '<𝒞=string:main>\n/open notes.md\n</𝒞>\n<𝒞=string:bash:t>\nnpm test -- tabs\n</𝒞>'
  say({ type: 'result', text: `I look at it.\n${topic}`, usage })
} else say({ type: 'result', text: REVIEW, usage, session_id: 's-81' })
process.stdin.destroy()
