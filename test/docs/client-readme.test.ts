import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeAgent } from '../support/agent.ts'
import { run, stringPlace } from '../support/cli.ts'

const root = join(import.meta.dirname, '../..')

it('the program in the README of the client, its pieces one after the other, does what it says', async () => {
  const place = stringPlace()
  const profile = writeAgent(
    place.dir,
    `echo 'AGENT_PARTIAL:"Well, "'; echo "you said $AGENT_MESSAGE to $AGENT_SESSION_NAME"`,
  )
  await place.string(['agent', 'add', 'helper', '--profile', profile])
  const text = readFileSync(join(root, 'packages/client/README.md'), 'utf8')
  const pieces = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, piece = '']) => piece)
  // Where packages of this project are found by their names.
  const folder = join(root, 'node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  const program = join(folder, `client-readme-${process.pid}.mjs`)
  writeFileSync(program, `${pieces.join('\n')}\nconsole.log(ok, content)\n`)
  onTestFinished(() => rmSync(program))
  const { stdout, stderr, status } = await run(process.execPath, [program], { env: place.env })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  expect(stdout).toMatch(/^Well, you said hello to work\ndone 0 true\ntrue exit: 0 \| cwd: .*\n---\nhello\n$/)
})
