import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { nearest, quoted } from '@string-os/protocol'
import type { PackageFile } from '../source/package-files.ts'
import type { PackageProblem } from './package-problem.ts'

type Found = Pick<PackageProblem, 'problem' | 'next' | 'isDoubt'>

/** The first line of a script by its ending. */
const FIRST_LINES: Readonly<Record<string, string>> = {
  '.sh': '#!/bin/sh',
  '.bash': '#!/bin/bash',
  '.py': '#!/usr/bin/env python3',
  '.js': '#!/usr/bin/env node',
  '.mjs': '#!/usr/bin/env node',
  '.cjs': '#!/usr/bin/env node',
  '.pl': '#!/usr/bin/env perl',
  '.rb': '#!/usr/bin/env ruby',
  '.php': '#!/usr/bin/env php',
  '.lua': '#!/usr/bin/env lua',
}
const SHELL = '#!/bin/sh'

/** What reads scripts, and may be anywhere in the search path. */
const INTERPRETERS = (
  'sh bash dash zsh ksh fish python python2 python3 node deno bun perl ruby php lua awk gawk sed make jq Rscript julia ' +
  'tclsh swift groovy scala elixir escript osascript pwsh uv npx tsx ts-node java'
).split(' ')
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin']

/** Why a file that an action starts by itself would not run, or not as its author means. */
export function checkScript(
  path: string,
  { bytes, mode }: PackageFile,
  seen: (path: string) => string = (each) => each,
): Found[] {
  const line = FIRST_LINES[posix.extname(path)] ?? null
  const first = firstLineOf(bytes)
  const begins = first.startsWith('#!')
  if ((mode & 0o111) === 0) {
    const and = begins ? '' : `, and give it the first line ${line ?? SHELL}`
    return [{ problem: `${path}, which is not executable`, next: `chmod +x ${seen(path)}${and}` }]
  }
  if (isProgram(bytes)) return []
  if (!begins) return [withoutLine(path, line)]
  if (first.endsWith('\r'))
    return [
      {
        problem: `${path}, whose lines end with CR LF: the program in its first line is not found`,
        next: `perl -pi -e 's/\\r$//' ${seen(path)}`,
      },
    ]
  return wrongInterpreter(path, first.slice(2).trim(), line)
}

/** What bash starts without such a line, it runs itself. */
function withoutLine(path: string, line: string | null): Found {
  const isShell = line === null || line === SHELL || line === FIRST_LINES['.bash']
  return {
    problem: `${path}, which has no first line #!…: bash would run it as its own script`,
    next: `Give it the first line ${line ?? `${SHELL}, or that of its language`}`,
    ...(isShell ? { isDoubt: true } : {}),
  }
}

function wrongInterpreter(path: string, written: string, line: string | null): Found[] {
  const [program = '', ...words] = written.split(/\s+/)
  const isEnv = posix.basename(program) === 'env'
  const name = isEnv ? words.find((word) => !/^-|=/.test(word)) : program
  if (name === undefined || (isEnv ? isFound(name) : existsSync(name))) return []
  const close = nearest(posix.basename(name), INTERPRETERS)
  // What stands nowhere that is usual, and resembles nothing, may be in the search path.
  if (isEnv && close === null) return []
  const meant = close === null ? (line ?? SHELL) : `#!/usr/bin/env ${close}`
  return [
    {
      problem: `${path}, whose first line names ${quoted(name)}, which is not there`,
      next: `Write ${line ?? meant}`,
    },
  ]
}

function isFound(name: string): boolean {
  const isKnown = INTERPRETERS.includes(name) || /^(?:python|node|ruby|perl|lua|php)[\d.]+$/.test(name)
  return isKnown || USUAL_FOLDERS.some((folder) => existsSync(posix.join(folder, name)))
}

/** What is no text is no script. */
function isProgram(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 512).includes(0)
}

function firstLineOf(bytes: Uint8Array): string {
  const [first = ''] = Buffer.from(bytes.subarray(0, 512)).toString().split('\n', 1)
  return first
}
