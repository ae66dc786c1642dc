import { expect, it } from 'vitest'
import { askedVariables } from '../../../src/cli/turns/asked-variables.ts'

it.each([
  ['NEWS_API_KEY is not set', 'NEWS_API_KEY'],
  ['  File "bot.py", line 3\nKeyError: \'SLACK_TOKEN\'', 'SLACK_TOKEN'],
  ['./run.sh: line 4: DB_URL: unbound variable', 'DB_URL'],
  ['run.sh: 2: TOKEN: parameter null or not set', 'TOKEN'],
  ['Error: Missing required environment variable: DATABASE_URL', 'DATABASE_URL'],
  ['error: Environment variable not found: DATABASE_URL.', 'DATABASE_URL'],
  ['must be set by passing api_key or by setting the OPENAI_API_KEY environment variable', 'OPENAI_API_KEY'],
  ['Please set \u001b[31mGITHUB_TOKEN\u001b[0m', 'GITHUB_TOKEN'],
])('a program that lacks a variable is understood: %j', (stderr, name) => {
  expect(askedVariables(stderr)).toEqual([name])
})

it.each([
  'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received undefined',
  "Error: Cannot find module 'x'\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []",
  'HTTP 401: the key is missing',
  'PATH is not set',
  'AGENT_IMAGE_URL is not set',
  'NEWS_API_KEY was refused by the server',
])('a word in capitals beside which nothing is said to lack is none: %j', (stderr) => {
  expect(askedVariables(stderr)).toEqual([])
})
